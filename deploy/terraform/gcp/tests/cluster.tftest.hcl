mock_provider "google" {}

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
      for machine in google_compute_instance.machine : machine if machine.labels.role == role
    ]) } == { coordinator = 1, workers = 4, brokers = 3 }
    error_message = "The number of machines of a role is not the one that was asked for."
  }

  assert {
    condition     = length(distinct([for machine in google_compute_instance.machine : machine.network_interface[0].network_ip])) == 8
    error_message = "Two machines have the same address."
  }

  assert {
    condition = (
      tolist(google_compute_firewall.ssh.source_ranges) == tolist([var.ssh_from])
      && [for rule in google_compute_firewall.ssh.allow : [rule.protocol, tolist(rule.ports)]] == [["tcp", tolist(["22"])]]
    )
    error_message = "SSH is open to others than was asked for."
  }

  assert {
    condition = (
      tolist(google_compute_firewall.each_other.source_tags) == tolist([var.run])
      && google_compute_firewall.each_other.source_ranges == null
    )
    error_message = "Others than the machines reach each other's ports."
  }

  assert {
    condition = alltrue([
      for machine in google_compute_instance.machine :
      tolist(machine.tags) == tolist([var.run])
      && tolist(machine.resource_policies) == tolist([google_compute_resource_policy.close.id])
      && machine.scheduling[0].on_host_maintenance == "TERMINATE"
    ])
    error_message = "A machine does not have the firewall's tag, is not close to the others, or may move while it is measured."
  }

  assert {
    condition     = google_compute_subnetwork.this.region == "us-central1"
    error_message = "The region is not that of the zone."
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
      ansible_host    = google_compute_instance.machine["trial-broker-2"].network_interface[0].access_config[0].nat_ip
      ansible_user    = "debian"
      private_address = "10.0.0.202"
      data_disk       = var.broker_data_disk
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

run "region_is_refused" {
  command         = plan
  expect_failures = [var.zone]

  variables {
    zone = "us-central1"
  }
}
