"""From a posted body to an instance, and from foreign files to bodies and back."""
