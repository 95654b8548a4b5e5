"""The other door: runs that need nobody, at the times of a cron expression, until a signal ends them."""
