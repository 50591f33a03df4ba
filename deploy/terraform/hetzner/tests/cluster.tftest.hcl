# Ids are numbers for Hetzner, in places where a mock would make up words.
mock_provider "hcloud" {
  mock_resource "hcloud_network" { defaults = { id = "1" } }
  mock_resource "hcloud_firewall" { defaults = { id = "2" } }
  mock_resource "hcloud_placement_group" { defaults = { id = "3" } }
  mock_resource "hcloud_network_subnet" { defaults = { id = "1-10.0.0.0/24" } }
}

variables {
  run        = "trial"
  ssh_from   = "198.51.100.7/32"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZvciB0ZXN0cyBvbmx5LCBvZiBubyB1c2U= nobody"
  workers    = 4
  brokers    = 3
}

run "cluster" {
  assert {
    condition = { for role in ["coordinator", "workers", "brokers"] : role => length([
      for machine in hcloud_server.machine : machine if machine.labels.role == role
    ]) } == { coordinator = 1, workers = 4, brokers = 3 }
    error_message = "The number of machines of a role is not the one that was asked for."
  }

  assert {
    condition     = alltrue([for machine in hcloud_server.machine : machine.labels.run == "trial"])
    error_message = "A machine does not have the label of the run."
  }

  assert {
    condition = [for rule in hcloud_firewall.public.rule : [rule.direction, rule.protocol, rule.port, tolist(rule.source_ips)]] == [
      ["in", "tcp", "22", tolist([var.ssh_from])]
    ]
    error_message = "Something else than SSH comes in, or SSH from others than was asked for."
  }

  assert {
    condition = alltrue([
      for machine in hcloud_server.machine :
      tolist(machine.firewall_ids) == tolist([2]) && machine.placement_group_id == 3
    ])
    error_message = "A machine is not behind the firewall or not in the placement group."
  }

  assert {
    condition     = alltrue([for machine in hcloud_server.machine : !one(machine.public_net).ipv6_enabled])
    error_message = "A machine has a public IPv6 address, which nobody needs."
  }

  assert {
    condition = { for role, group in yamldecode(output.inventory) : role => keys(group.hosts) } == {
      coordinator = ["trial-coordinator"]
      workers     = ["trial-worker-1", "trial-worker-2", "trial-worker-3", "trial-worker-4"]
      brokers     = ["trial-broker-1", "trial-broker-2", "trial-broker-3"]
    }
    error_message = "The inventory does not have all machines."
  }

  assert {
    condition = yamldecode(output.inventory).brokers.hosts["trial-broker-2"] == {
      ansible_host    = hcloud_server.machine["trial-broker-2"].ipv4_address
      ansible_user    = "root"
      private_address = "10.0.0.202"
    }
    error_message = "The inventory has wrong addresses."
  }
}

run "ssh_for_all_is_refused" {
  command         = plan
  expect_failures = [var.ssh_from]

  variables {
    ssh_from = "0.0.0.0/0"
  }
}

run "private_key_is_refused" {
  command         = plan
  expect_failures = [var.public_key]

  variables {
    public_key = "-----BEGIN OPENSSH PRIVATE KEY-----"
  }
}

run "eleven_machines_are_refused" {
  command         = plan
  expect_failures = [var.brokers]

  variables {
    brokers = 6
  }
}
