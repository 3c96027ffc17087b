import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename tables and a column; their rows stay."""

    dependencies = [("storage", "0020_mail_priority")]

    operations = [
        migrations.RenameModel(old_name="Deed", new_name="AuditEntry"),
        migrations.RenameModel(old_name="ReviewWish", new_name="ReviewRequest"),
        migrations.RenameModel(old_name="LoginWish", new_name="LoginLetterRequest"),
        migrations.RenameField(model_name="signup", old_name="wish", new_name="group"),
        migrations.AlterField(
            model_name="reviewrequest",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="review_requests",
                to="storage.player",
            ),
        ),
        migrations.AlterField(
            model_name="reviewrequest",
            name="review",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requests",
                to="storage.review",
            ),
        ),
    ]
