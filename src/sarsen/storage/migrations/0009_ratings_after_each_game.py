from django.db import migrations, models
from django.utils import timezone


def forget_ratings_of_periods(apps, schema_editor):
    """Delete what is made anew from the results after this migration, and what told of periods.

    The steps of the periods stay, as history. See decision 0011.
    """
    apps.get_model('storage', 'Rating').objects.all().delete()
    apps.get_model('storage', 'OutgoingMail').objects.filter(kind='rating', state='waiting').delete()
    for name in ('DigestItem', 'WebhookCall', 'Push'):
        rows = apps.get_model('storage', name).objects.filter(event='rating')
        (rows if name == 'DigestItem' else rows.filter(state='waiting')).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('storage', '0008_body_digests'),
    ]

    operations = [
        migrations.RunPython(forget_ratings_of_periods, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='rating',
            name='period',
        ),
        migrations.AddField(
            model_name='rating',
            name='rated_at',
            field=models.DateTimeField(default=timezone.now, help_text='when the last rated game ended'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='rating',
            name='certain_until',
            field=models.DateTimeField(blank=True, help_text='provisional from then on without a game; None: already', null=True),
        ),
        migrations.AlterField(
            model_name='rating',
            name='matches',
            field=models.PositiveIntegerField(default=0, help_text='that were rated'),
        ),
        migrations.RemoveIndex(
            model_name='result',
            name='results_to_count',
        ),
        migrations.RemoveIndex(
            model_name='result',
            name='results_of_a_period',
        ),
        *(
            migrations.AddField(
                model_name='result',
                name=name,
                field=models.FloatField(blank=True, null=True),
            )
            for name in ('before_rating', 'before_deviation', 'rating', 'deviation', 'volatility')
        ),
        migrations.AlterField(
            model_name='result',
            name='period',
            field=models.PositiveIntegerField(blank=True, help_text='history: the rating period of release 0.4 or earlier', null=True),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('is_rated', True), ('rating__isnull', True)), fields=['game', 'at', 'match'], name='results_to_rate'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('rating__isnull', False)), fields=['game', 'at', 'match'], name='results_rated'),
        ),
    ]
