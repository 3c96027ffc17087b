"""Drop seven indexes that are the beginning of others.

By its name each: changed as a field, SQLite would copy the whole table, and PostgreSQL check
every foreign key anew.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MATCH, PLAYER = 'storage.match', settings.AUTH_USER_MODEL


def drop_index(index, model, field, to, related_name='+'):
    """Return what drops the index of a foreign key, and tells Django that it has none."""
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f'DROP INDEX IF EXISTS {index}',
                f'CREATE INDEX IF NOT EXISTS {index} ON storage_{model} ({field}_id)',
            )
        ],
        state_operations=[
            migrations.AlterField(
                model_name=model,
                name=field,
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name=related_name,
                    to=to,
                ),
            )
        ],
    )


class Migration(migrations.Migration):

    dependencies = [
        ('storage', '0012_counted_figures'),
    ]

    operations = [
        drop_index('storage_encounter_player_id_6dcb1e89', 'encounter', 'player', PLAYER),
        drop_index('storage_matchevent_match_id_40815c62', 'matchevent', 'match', MATCH, 'events'),
        drop_index('storage_matchseat_match_id_583fd1a9', 'matchseat', 'match', MATCH, 'seats'),
        drop_index('storage_rating_player_id_0372005b', 'rating', 'player', PLAYER, 'ratings'),
        drop_index('storage_result_match_id_8de62ce1', 'result', 'match', MATCH, 'results'),
        drop_index('storage_result_player_id_04cd8496', 'result', 'player', PLAYER),
        drop_index('storage_standing_player_id_d1e0348e', 'standing', 'player', PLAYER),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['id'], name='boards_in_play_newest'),
        ),
    ]
