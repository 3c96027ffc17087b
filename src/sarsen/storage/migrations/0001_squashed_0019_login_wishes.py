"""All tables as they are after 0019, for a database that has none yet.

Django renders its models anew after each change of a field: step by step, an empty database took
four fifths of the processor time of a first start. A database that has some of these steps goes on
with the others; tests/storage/test_upgrades.py compares the tables of both ways.
"""

import django.db.models.deletion
import sarsen.storage.models.players
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True
    replaces = [
        ('storage', '0001_initial'),
        ('storage', '0002_correspondence'),
        ('storage', '0003_opponents'),
        ('storage', '0004_api_door'),
        ('storage', '0005_open_doors'),
        ('storage', '0006_trust'),
        ('storage', '0007_guests'),
        ('storage', '0008_body_digests'),
        ('storage', '0009_ratings_after_each_game'),
        ('storage', '0010_asked_challenges'),
        ('storage', '0011_indexes_of_boards_in_play'),
        ('storage', '0012_counted_figures'),
        ('storage', '0013_redundant_indexes'),
        ('storage', '0014_words_and_openings'),
        ('storage', '0015_measurements'),
        ('storage', '0016_languages_of_signups'),
        ('storage', '0017_words_of_sent_letters'),
        ('storage', '0018_checked_signatures'),
        ('storage', '0019_login_wishes'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='AnsweredRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=100, unique=True)),
                ('said', models.CharField(blank=True, help_text='a digest of what was asked', max_length=64)),
                ('reply', models.JSONField()),
                ('speaker', models.BigIntegerField(default=0, help_text="the player's id; or 0")),
                ('at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='CountedFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('figures', models.JSONField()),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Downtime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(db_index=True)),
                ('is_settled', models.BooleanField(default=False, help_text='all clocks are worked out again')),
                ('settled_to', models.BigIntegerField(default=0, help_text='the last board that is')),
            ],
            options={
                'ordering': ('starts_at',),
            },
        ),
        migrations.CreateModel(
            name='FormerUserid',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text="under the server's key", max_length=64, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='LoginWish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='a userid or an address, as it was typed', max_length=254)),
                ('path', models.CharField(blank=True, help_text='where to go afterwards', max_length=2000)),
                ('place', models.CharField(blank=True, help_text='where on the net it was asked', max_length=64)),
                ('known', models.JSONField(default=list, help_text='ids of players that the browser has been')),
                ('language', models.CharField(blank=True, max_length=10)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Measurement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40, unique=True)),
                ('version', models.CharField(help_text='of the rules and of their package', max_length=200)),
                ('state', models.CharField(choices=[('running', 'Running'), ('done', 'Done'), ('given up', 'Given Up')], max_length=8)),
                ('played', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(help_text='to play in all')),
                ('ratings', models.JSONField(default=list, help_text='by level from 1 on, of the last version that was measured')),
            ],
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('queued_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('kind', models.CharField(max_length=20)),
                ('event', models.CharField(blank=True, help_text="of `services.notices`, or ''", max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('address', models.CharField(max_length=254)),
                ('in_reply_to', models.CharField(blank=True, max_length=300)),
                ('due_at', models.DateTimeField(help_text='not before; moves on after a failed attempt')),
                ('haste', models.PositiveSmallIntegerField(default=1, help_text='0 goes first, 2 last')),
            ],
        ),
        migrations.CreateModel(
            name='RatingPeriod',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True)),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(help_text='excluded')),
                ('games_done', models.JSONField(default=list, help_text='games whose results are counted')),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='StrangerHelped',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(help_text='a digest of the address', max_length=64, unique=True)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('key', models.CharField(help_text='the userid in lower case', max_length=20, unique=True)),
                ('userid', models.CharField(help_text='as its owner writes it', max_length=80)),
                ('joined_at', models.DateTimeField()),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False)),
                ('is_bot', models.BooleanField(default=False)),
                ('is_guest', models.BooleanField(default=False)),
                ('level', models.PositiveSmallIntegerField(blank=True, null=True, unique=True)),
                ('speaks_by_password', models.BooleanField(default=True)),
                ('wrong_passwords', models.PositiveSmallIntegerField(default=0)),
                ('paused_until', models.DateTimeField(blank=True, null=True)),
                ('letter_key', models.CharField(default=sarsen.storage.models.players.new_key, max_length=20)),
                ('timezone', models.CharField(default='UTC', help_text='an IANA name', max_length=60)),
                ('colours', models.CharField(blank=True, help_text='of pages; or as his device', max_length=40)),
                ('weekends_are_off', models.BooleanField(default=False)),
                ('refuses', models.JSONField(default=list, help_text="userids' keys, games, `anyone`")),
                ('accepts', models.JSONField(default=list, help_text='the same, for `autoaccept`')),
                ('most_games', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('channels', models.JSONField(default=dict, help_text='event to channel, where not the default')),
                ('quiet_from', models.PositiveSmallIntegerField(blank=True, help_text='local hour', null=True)),
                ('quiet_until', models.PositiveSmallIntegerField(blank=True, help_text='local hour', null=True)),
                ('digest_hour', models.PositiveSmallIntegerField(default=18, help_text='local hour')),
                ('digest_due_at', models.DateTimeField(blank=True, help_text='None: nothing waits', null=True)),
                ('feed_key', models.CharField(blank=True, db_index=True, help_text='or none yet', max_length=20)),
                ('pushed', models.JSONField(blank=True, help_text='events that devices show; none: the usual ones', null=True)),
                ('webhook', models.CharField(blank=True, max_length=300)),
                ('webhook_key', models.CharField(blank=True, help_text='or none yet', max_length=40)),
                ('has_stream', models.BooleanField(default=False, help_text='a program has had a token of his')),
                ('wants_reviews', models.BooleanField(default=False, help_text='of every game that ends')),
                ('place', models.CharField(blank=True, max_length=60)),
                ('about', models.CharField(blank=True, max_length=400)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('banned_at', models.DateTimeField(blank=True, null=True)),
                ('ban_reason', models.CharField(blank=True, help_text='as he was told', max_length=300)),
                ('language', models.CharField(blank=True, help_text='a code; or as his browser', max_length=10)),
                ('is_unreached', models.BooleanField(default=False)),
                ('is_elsewhere', models.BooleanField(default=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
        ),
        migrations.CreateModel(
            name='Address',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(db_index=True, max_length=254)),
                ('confirmed_at', models.DateTimeField()),
                ('suspended_at', models.DateTimeField(blank=True, null=True)),
                ('suspended_why', models.CharField(blank=True, help_text='as the bounce said', max_length=200)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('source', models.CharField(help_text="a digest under the server's key", max_length=64)),
                ('at', models.DateTimeField(db_index=True)),
            ],
            options={
                'indexes': [models.Index(fields=['kind', 'source', 'at'], name='attempts_of_a_source')],
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('options', models.CharField(blank=True, help_text='of the game, as written', max_length=200)),
                ('terms', models.JSONField(default=dict, help_text='of the server: rated, private, days …')),
                ('state', models.CharField(choices=[('asked', 'Asked'), ('open', 'Open'), ('started', 'Started'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('made_at', models.DateTimeField()),
                ('link_key', models.CharField(blank=True, help_text='or none: open to anybody', max_length=20)),
                ('challenger', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ChallengeSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('has_accepted', models.BooleanField(default=False)),
                ('challenge', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='storage.challenge')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('seat',),
            },
        ),
        migrations.CreateModel(
            name='Deed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.CharField(max_length=1000)),
                ('digest', models.CharField(help_text='of the endpoint', max_length=64, unique=True)),
                ('public', models.CharField(help_text='its key, in base64url', max_length=100)),
                ('secret', models.CharField(help_text='what it shares with us, in base64url', max_length=40)),
                ('label', models.CharField(blank=True, max_length=60)),
                ('made_at', models.DateTimeField()),
                ('failures', models.PositiveSmallIntegerField(default=0, help_text='notices lost since one came')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Encounter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('seat', models.PositiveSmallIntegerField()),
                ('won', models.PositiveIntegerField(default=0)),
                ('lost', models.PositiveIntegerField(default=0)),
                ('drawn', models.PositiveIntegerField(default=0)),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='InboundMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identity', models.CharField(help_text='decides what is a repeat', max_length=80, unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('envelope_sender', models.CharField(blank=True, max_length=320)),
                ('recipient', models.CharField(max_length=320)),
                ('raw', models.BinaryField()),
                ('body_digests', models.CharField(blank=True, help_text='of a body whose attachments are not in `raw`', max_length=120)),
                ('received_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('new', 'New'), ('answered', 'Answered'), ('ignored', 'Ignored'), ('failed', 'Failed')], default='new', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('ends', models.PositiveSmallIntegerField(default=0, help_text='of workers, while they tried it')),
                ('wait_until', models.DateTimeField(blank=True, help_text='not answered before', null=True)),
                ('note', models.CharField(blank=True, help_text='why it was refused, ignored or failed', max_length=200)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'new')), fields=['id'], name='inbound_new'), models.Index(condition=models.Q(('state', 'failed')), fields=['received_at'], name='inbound_failed'), models.Index(condition=models.Q(('note', ''), _negated=True), fields=['received_at'], name='inbound_noted')],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('rules_version', models.PositiveIntegerField(help_text='of the game when it began; pinned')),
                ('options', models.CharField(blank=True, max_length=200)),
                ('terms', models.JSONField(default=dict)),
                ('started_at', models.DateTimeField()),
                ('event_count', models.PositiveIntegerField(default=0)),
                ('ply', models.PositiveIntegerField(default=0, help_text='moves played')),
                ('seat_to_move', models.PositiveSmallIntegerField(default=0)),
                ('position', models.TextField(help_text='the position as its game writes it')),
                ('moved_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('scores', models.JSONField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('turn_began_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.DateTimeField(blank=True, help_text='the move is lost after it', null=True)),
                ('look_at', models.DateTimeField(blank=True, help_text='next reminder or forfeit', null=True)),
                ('reminders', models.PositiveSmallIntegerField(default=0, help_text='sent for this turn')),
                ('warned_at', models.DateTimeField(blank=True, help_text='the last warning, queued', null=True)),
                ('bots', models.JSONField(default=list)),
                ('bot_level', models.PositiveSmallIntegerField(blank=True, help_text='of the program that has something to do here now', null=True)),
                ('offer', models.JSONField(blank=True, null=True)),
                ('is_imported', models.BooleanField(default=False, help_text='played elsewhere; see `Import`')),
                ('has_opening', models.BooleanField(help_text='`OpeningMove` has its first moves; None: not looked at yet', null=True)),
                ('pair', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='storage.match')),
            ],
            options={
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='of the record, unsigned', max_length=64, unique=True)),
                ('head', models.JSONField(help_text='the record in the JSON form, without its moves')),
                ('untimed', models.JSONField(default=list, help_text='plies of which nobody knows when')),
                ('has_checked_signature', models.BooleanField(default=False)),
                ('at', models.DateTimeField(help_text='when it was imported')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='record', to='storage.match')),
            ],
        ),
        migrations.CreateModel(
            name='DigestItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='digest_items', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='storage.match')),
            ],
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField(help_text='moves played when it was said')),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='storage.match')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.AddField(
            model_name='challenge',
            name='match',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='challenge', to='storage.match'),
        ),
        migrations.AddField(
            model_name='challenge',
            name='rematch_of',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rematches', to='storage.match'),
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('audience', models.CharField(choices=[('all', 'All'), ('watchers', 'of the board'), ('followers', 'of the board, its players and its game')], max_length=10)),
                ('event', models.CharField(max_length=20)),
                ('kind', models.CharField(help_text='of the letter', max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField()),
                ('reached', models.BigIntegerField(default=0, help_text='the last player who was told')),
                ('is_done', models.BooleanField(default=False)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='storage.match')),
            ],
        ),
        migrations.CreateModel(
            name='MatchEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='counts the events of a match from 1')),
                ('kind', models.CharField(choices=[('move', 'Move'), ('resign', 'Resign'), ('draw', 'Draw'), ('undo', 'Undo'), ('forfeit', 'Forfeit'), ('resume', 'Resume')], max_length=10)),
                ('ply', models.PositiveIntegerField(help_text='moves played before it, plus 1 for a move')),
                ('seat', models.PositiveSmallIntegerField()),
                ('text', models.CharField(blank=True, max_length=400)),
                ('at', models.DateTimeField()),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='storage.match')),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='MatchSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('letter_key', models.CharField(default=sarsen.storage.models.players.new_key, help_text='change it to revoke', max_length=20)),
                ('resign_asked_at', models.DateTimeField(blank=True, null=True)),
                ('submitted', models.CharField(blank=True, help_text='a move put forward', max_length=400)),
                ('submitted_ply', models.PositiveIntegerField(blank=True, null=True)),
                ('reserve', models.FloatField(blank=True, help_text='seconds left; None: no bound', null=True)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='storage.match')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('seat',),
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField(help_text='moves played when it was written')),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='storage.match')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='OpeningMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.BigIntegerField(help_text='a digest of the position it was played in')),
                ('text', models.CharField(max_length=400)),
                ('score', models.FloatField(help_text='of the first seat, 0 to 1')),
                ('rating', models.FloatField(blank=True, help_text='of its players, on average', null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='opening', to='storage.match')),
            ],
        ),
        migrations.CreateModel(
            name='SentLetter',
            fields=[
                ('letter', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sent', serialize=False, to='storage.outgoingmail')),
                ('reply_stem', models.CharField(blank=True, db_index=True, help_text='its reply address, unsigned', max_length=100)),
                ('fingerprints', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='match',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='storage.match'),
        ),
        migrations.AddField(
            model_name='outgoingmail',
            name='player',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='CaughtMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(db_index=True, max_length=254)),
                ('subject', models.CharField(max_length=300)),
                ('raw', models.BinaryField()),
                ('caught_at', models.DateTimeField()),
                ('letter', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='caught', to='storage.outgoingmail')),
            ],
        ),
        migrations.CreateModel(
            name='Bounce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True)),
                ('address', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bounces', to='storage.address')),
                ('letter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='storage.outgoingmail')),
            ],
        ),
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(help_text='hexadecimal', max_length=64)),
                ('digest', models.CharField(help_text="of the credential's id", max_length=64, unique=True)),
                ('credential', models.BinaryField(help_text='attested credential data, as the device sent it')),
                ('uses', models.BigIntegerField(default=0, help_text='as the device counts them; 0: it does not')),
                ('label', models.CharField(max_length=60)),
                ('made_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Plan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tree', models.JSONField(default=dict)),
                ('is_active', models.BooleanField(default=False, help_text='a line of it may be played')),
                ('is_public', models.BooleanField(default=False, help_text='shown to all after the game')),
                ('changed_at', models.DateTimeField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plans', to='storage.match')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plans', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Push',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('queued_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('event', models.CharField(max_length=20)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='storage.device')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='storage.match')),
            ],
            options={
                'verbose_name_plural': 'pushes',
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('asked_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('rating', models.FloatField()),
                ('deviation', models.FloatField()),
                ('volatility', models.FloatField()),
                ('matches', models.PositiveIntegerField(default=0, help_text='that were rated')),
                ('rated_at', models.DateTimeField(help_text='when the last rated game ended')),
                ('certain_until', models.DateTimeField(blank=True, help_text='provisional from then on without a game; None: already', null=True)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RatingStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('period', models.PositiveIntegerField()),
                ('at', models.DateTimeField(help_text='the end of the period')),
                ('rating', models.FloatField()),
                ('deviation', models.FloatField()),
                ('volatility', models.FloatField()),
                ('matches', models.PositiveIntegerField(help_text='of the period')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('game', models.CharField(max_length=40)),
                ('score', models.FloatField(help_text='0 to 1')),
                ('at', models.DateTimeField()),
                ('is_private', models.BooleanField()),
                ('is_rated', models.BooleanField()),
                ('before_rating', models.FloatField(blank=True, null=True)),
                ('before_deviation', models.FloatField(blank=True, null=True)),
                ('rating', models.FloatField(blank=True, null=True)),
                ('deviation', models.FloatField(blank=True, null=True)),
                ('volatility', models.FloatField(blank=True, null=True)),
                ('period', models.PositiveIntegerField(blank=True, help_text='history: the rating period of release 0.4 or earlier', null=True)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='storage.match')),
                ('opponent', models.ForeignKey(help_text='None at a board of more than two seats', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('findings', models.JSONField(default=dict, help_text='see `search.reviews.keeping`')),
                ('steps', models.PositiveIntegerField(default=0, help_text='done so far; a step counts once')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='at the next step')),
                ('asked_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(help_text='not before; somebody may be at it until then')),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review', to='storage.match')),
            ],
        ),
        migrations.CreateModel(
            name='ReviewWish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField()),
                ('told_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_wishes', to=settings.AUTH_USER_MODEL)),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to='storage.review')),
            ],
        ),
        migrations.CreateModel(
            name='Signup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('userid', models.CharField(max_length=20)),
                ('key', models.CharField(db_index=True, max_length=20)),
                ('password', models.CharField(help_text='a hash, or an unusable one', max_length=128)),
                ('address', models.CharField(max_length=254)),
                ('code', models.CharField(default=sarsen.storage.models.players.new_key, max_length=20, unique=True)),
                ('wish', models.CharField(help_text='the same for all addresses of one sign-up', max_length=20)),
                ('asked_at', models.DateTimeField()),
                ('digits', models.CharField(blank=True, help_text='a digest, or none', max_length=64)),
                ('wrong', models.PositiveSmallIntegerField(default=0)),
                ('timezone', models.CharField(blank=True, max_length=60)),
                ('language', models.CharField(blank=True, help_text='of the page; or English', max_length=10)),
                ('guest', models.ForeignKey(help_text='the guest that becomes the account, or None', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(help_text='whose address changes, or None', null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('won', models.PositiveIntegerField(default=0)),
                ('lost', models.PositiveIntegerField(default=0)),
                ('drawn', models.PositiveIntegerField(default=0)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='StreamItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(blank=True, help_text='counts from 1', null=True)),
                ('kind', models.CharField(max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('at', models.DateTimeField(db_index=True)),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='storage.match')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stream', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(blank=True, db_index=True, max_length=40)),
                ('is_weekly', models.BooleanField(default=False)),
                ('last_sent_at', models.DateTimeField(blank=True, help_text='of the weekly letter', null=True)),
                ('made_at', models.DateTimeField()),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='watchers', to='storage.match')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to=settings.AUTH_USER_MODEL)),
                ('watched', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='watchers', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('label', models.CharField(max_length=60)),
                ('scopes', models.JSONField(default=list)),
                ('made_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, help_text='to some minutes', null=True)),
                ('ends_at', models.DateTimeField(blank=True, help_text='None: when it is revoked', null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(help_text='excluded')),
                ('first_day', models.DateField()),
                ('last_day', models.DateField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('starts_at',),
            },
        ),
        migrations.CreateModel(
            name='WebhookCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('queued_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('event', models.CharField(max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='WebSession',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('began_at', models.DateTimeField(help_text='the log-in', null=True)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='web_sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('digest_due_at__isnull', False)), fields=['digest_due_at'], name='digests_due'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('is_guest', True)), fields=['joined_at'], name='guests'),
        ),
        migrations.AddConstraint(
            model_name='address',
            constraint=models.UniqueConstraint(fields=('player', 'address'), name='address_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='challengeseat',
            constraint=models.UniqueConstraint(fields=('challenge', 'seat'), name='challenge_seat_once'),
        ),
        migrations.AddIndex(
            model_name='deed',
            index=models.Index(fields=['player', 'kind', 'at'], name='deeds_of_a_player'),
        ),
        migrations.AddConstraint(
            model_name='encounter',
            constraint=models.UniqueConstraint(fields=('player', 'opponent', 'game', 'seat'), name='encounter_once'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['moved_at'], name='boards_in_play'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['id'], name='boards_in_play_newest'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['game', 'moved_at'], name='boards_in_play_of_a_game'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['ended_at'], name='boards_over'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['game', 'ended_at'], name='boards_over_of_a_game'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(fields=['game', 'id'], name='boards_of_a_game'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False), ('has_opening', None)), fields=['id'], name='openings_to_store'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('look_at__isnull', False)), fields=['look_at'], name='clocks_due'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('bot_level__isnull', False)), fields=['moved_at'], name='bots_due'),
        ),
        migrations.AddIndex(
            model_name='challenge',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['id'], name='challenges_open'),
        ),
        migrations.AddIndex(
            model_name='challenge',
            index=models.Index(condition=models.Q(('state', 'asked')), fields=['made_at'], name='challenges_asked'),
        ),
        migrations.AddIndex(
            model_name='announcement',
            index=models.Index(condition=models.Q(('is_done', False)), fields=['id'], name='announcements_open'),
        ),
        migrations.AddIndex(
            model_name='matchevent',
            index=models.Index(condition=models.Q(('kind', 'forfeit')), fields=['at'], name='forfeits'),
        ),
        migrations.AddConstraint(
            model_name='matchevent',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='event_once'),
        ),
        migrations.AddIndex(
            model_name='matchseat',
            index=models.Index(fields=['player', 'match'], name='boards_of_a_player'),
        ),
        migrations.AddConstraint(
            model_name='matchseat',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='match_seat_once'),
        ),
        migrations.AddConstraint(
            model_name='openingmove',
            constraint=models.UniqueConstraint(fields=('position', 'match'), name='opening_move_once'),
        ),
        migrations.AddIndex(
            model_name='outgoingmail',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['haste', 'due_at', 'id'], name='outgoing_due'),
        ),
        migrations.AddIndex(
            model_name='outgoingmail',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['match', 'address'], name='outgoing_earlier'),
        ),
        migrations.AddIndex(
            model_name='outgoingmail',
            index=models.Index(condition=models.Q(('state', 'failed')), fields=['queued_at'], name='outgoing_failed'),
        ),
        migrations.AddConstraint(
            model_name='bounce',
            constraint=models.UniqueConstraint(fields=('letter', 'address'), name='bounce_once_a_letter'),
        ),
        migrations.AddConstraint(
            model_name='plan',
            constraint=models.UniqueConstraint(fields=('match', 'player'), name='plan_once'),
        ),
        migrations.AddIndex(
            model_name='push',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='pushes_due'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('player', 'kind'), name='question_once'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(fields=['game', '-rating', 'player'], name='ratings_of_a_game'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(condition=models.Q(('certain_until__isnull', False)), fields=['game', '-rating', 'player'], name='ratings_once_certain'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('player', 'game'), name='rating_once'),
        ),
        migrations.AddIndex(
            model_name='ratingstep',
            index=models.Index(fields=['game', 'period', 'player'], name='steps_of_a_period'),
        ),
        migrations.AddConstraint(
            model_name='ratingstep',
            constraint=models.UniqueConstraint(fields=('player', 'game', 'period'), name='rating_step_once'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['player', '-at'], name='results_of_a_player'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['player', 'opponent', '-at'], name='results_of_a_pair'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('seat', 0)), fields=['game', '-at'], name='results_of_a_game'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('seat', 0)), fields=['-at'], name='results_by_time'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('is_rated', True), ('rating__isnull', True)), fields=['game', 'at', 'match'], name='results_to_rate'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('rating__isnull', False)), fields=['game', 'at', 'match'], name='results_rated'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='result_once'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['asked_at'], name='reviews_due'),
        ),
        migrations.AddConstraint(
            model_name='reviewwish',
            constraint=models.UniqueConstraint(fields=('review', 'player'), name='review_wish_once'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['game', '-won', 'lost', 'player'], name='standings_of_a_game'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('player', 'game'), name='standing_once'),
        ),
        migrations.AddIndex(
            model_name='streamitem',
            index=models.Index(condition=models.Q(('number__isnull', True)), fields=['player', 'id'], name='stream_unnumbered'),
        ),
        migrations.AddConstraint(
            model_name='streamitem',
            constraint=models.UniqueConstraint(fields=('player', 'number'), name='stream_number_once'),
        ),
        migrations.AddIndex(
            model_name='subscription',
            index=models.Index(condition=models.Q(('is_weekly', True)), fields=['last_sent_at'], name='weekly_due'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(fields=('player', 'match'), name='watches_board_once'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(fields=('player', 'watched'), name='watches_player_once'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('game', ''), _negated=True), fields=('player', 'game'), name='watches_game_once'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('is_weekly', True)), fields=('player',), name='weekly_once'),
        ),
        migrations.AddIndex(
            model_name='vacation',
            index=models.Index(fields=['player', 'ends_at'], name='vacations_of_a_player'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='webhooks_due'),
        ),
    ]
