from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename a column and a table of mail; their rows stay."""

    dependencies = [("storage", "0019_login_wishes")]

    operations = [
        migrations.RenameModel(old_name="StrangerHelped", new_name="HelpReplySent"),
        migrations.RemoveIndex(model_name="outgoingmail", name="outgoing_due"),
        migrations.RenameField(model_name="outgoingmail", old_name="haste", new_name="priority"),
        migrations.AddIndex(
            model_name="outgoingmail",
            index=models.Index(
                condition=models.Q(("state", "waiting")),
                fields=["priority", "due_at", "id"],
                name="outgoing_due",
            ),
        ),
    ]
