# Ansible's inventory of a cluster: a group for each role. Without a provider, so that it is the same for all clouds.

terraform {
  required_version = ">= 1.9"
}

variable "user" {
  description = "The user that Ansible logs in as; it can become root."
  type        = string
}

variable "machines" {
  description = "All machines by name: role (a group of the inventory), address to log in at, address for all other traffic, local disk if there is one (a pattern)."
  type = map(object({
    role            = string
    address         = string
    private_address = string
    data_disk       = optional(string)
  }))
}

output "yaml" {
  description = "The inventory. Groups without a machine are there too, so that playbooks can name them."
  value = yamlencode({
    for role in ["coordinator", "workers", "brokers"] : role => {
      hosts = {
        for name, machine in var.machines : name => merge(
          {
            ansible_host    = machine.address
            ansible_user    = var.user
            private_address = machine.private_address
          },
          machine.data_disk == null ? {} : { data_disk = machine.data_disk },
        ) if machine.role == role
      }
    }
  })
}
