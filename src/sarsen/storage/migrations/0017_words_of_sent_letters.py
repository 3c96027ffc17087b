from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ('storage', '0016_languages_of_signups'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentLetter',
            fields=[
                ('letter', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sent', serialize=False, to='storage.outgoingmail')),
                ('reply_stem', models.CharField(blank=True, db_index=True, help_text='its reply address, unsigned', max_length=100)),
                ('fingerprints', models.BinaryField()),
            ],
        ),
    ]
