"""Drop seven indexes that are the beginning of others.

By its name each: changed as a field, SQLite would copy the whole table, and PostgreSQL check
every foreign key anew.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REDUNDANT = {
    "storage_encounter_player_id_6dcb1e89": "storage_encounter (player_id)",
    "storage_matchevent_match_id_40815c62": "storage_matchevent (match_id)",
    "storage_matchseat_match_id_583fd1a9": "storage_matchseat (match_id)",
    "storage_rating_player_id_0372005b": "storage_rating (player_id)",
    "storage_result_match_id_8de62ce1": "storage_result (match_id)",
    "storage_result_player_id_04cd8496": "storage_result (player_id)",
    "storage_standing_player_id_d1e0348e": "storage_standing (player_id)",
}


class Migration(migrations.Migration):

    dependencies = [
        ('storage', '0012_counted_figures'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX IF EXISTS {name}",
                    f"CREATE INDEX IF NOT EXISTS {name} ON {columns}",
                )
                for name, columns in REDUNDANT.items()
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='encounter',
                    name='player',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='matchevent',
                    name='match',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='storage.match'),
                ),
                migrations.AlterField(
                    model_name='matchseat',
                    name='match',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='storage.match'),
                ),
                migrations.AlterField(
                    model_name='rating',
                    name='player',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='result',
                    name='match',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='storage.match'),
                ),
                migrations.AlterField(
                    model_name='result',
                    name='player',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='standing',
                    name='player',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['id'], name='boards_in_play_newest'),
        ),
    ]
