variables {
  user = "admin"
  machines = {
    a-coordinator = { role = "coordinator", address = "198.51.100.1", private_address = "10.0.0.10" }
    a-worker-1    = { role = "workers", address = "198.51.100.2", private_address = "10.0.0.101" }
    a-worker-2    = { role = "workers", address = "198.51.100.3", private_address = "10.0.0.102" }
    a-broker-1    = { role = "brokers", address = "198.51.100.4", private_address = "10.0.0.201", data_disk = "/dev/disk/by-id/disk*" }
  }
}

run "every_machine_is_in_the_group_of_its_role" {
  command = plan

  assert {
    condition = yamldecode(output.yaml) == {
      coordinator = { hosts = { a-coordinator = { ansible_host = "198.51.100.1", ansible_user = "admin", private_address = "10.0.0.10" } } }
      workers = { hosts = {
        a-worker-1 = { ansible_host = "198.51.100.2", ansible_user = "admin", private_address = "10.0.0.101" }
        a-worker-2 = { ansible_host = "198.51.100.3", ansible_user = "admin", private_address = "10.0.0.102" }
      } }
      brokers = { hosts = {
        a-broker-1 = { ansible_host = "198.51.100.4", ansible_user = "admin", private_address = "10.0.0.201", data_disk = "/dev/disk/by-id/disk*" }
      } }
    }
    error_message = "The inventory is not what Ansible expects: ${output.yaml}"
  }
}

run "group_without_a_machine_is_there" {
  command = plan

  variables {
    machines = {}
  }

  assert {
    condition     = yamldecode(output.yaml) == { coordinator = { hosts = {} }, workers = { hosts = {} }, brokers = { hosts = {} } }
    error_message = "A group is missing: ${output.yaml}"
  }
}
