"""What players, hosts and operators do in contests."""
