"""Charts, a report page and comparisons from the result files of the messaging benchmark and of OMB."""
