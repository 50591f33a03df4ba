mock_provider "aws" {}

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
      for machine in aws_instance.machine : machine if machine.tags.Role == role
    ]) } == { coordinator = 1, workers = 4, brokers = 3 }
    error_message = "The number of machines of a role is not the one that was asked for."
  }

  assert {
    condition     = length(distinct([for machine in aws_instance.machine : machine.private_ip])) == 8
    error_message = "Two machines have the same address."
  }

  assert {
    condition = (
      aws_vpc_security_group_ingress_rule.ssh.cidr_ipv4 == var.ssh_from
      && aws_vpc_security_group_ingress_rule.ssh.from_port == 22
      && aws_vpc_security_group_ingress_rule.ssh.to_port == 22
    )
    error_message = "SSH is open to others than was asked for."
  }

  assert {
    condition = (
      aws_vpc_security_group_ingress_rule.each_other.referenced_security_group_id == aws_security_group.machines.id
      && aws_vpc_security_group_ingress_rule.each_other.cidr_ipv4 == null
    )
    error_message = "Others than the machines reach each other's ports."
  }

  assert {
    condition = alltrue([
      for machine in aws_instance.machine :
      toset(machine.vpc_security_group_ids) == toset([aws_security_group.machines.id])
      && machine.placement_group == aws_placement_group.this.name
    ])
    error_message = "A machine is not in the security group or in the placement group."
  }

  assert {
    condition = alltrue([
      for machine in aws_instance.machine :
      machine.root_block_device[0].encrypted && machine.metadata_options[0].http_tokens == "required"
    ])
    error_message = "A machine has a disk that is not encrypted, or answers version 1 of the metadata service."
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
      ansible_host    = aws_instance.machine["trial-broker-2"].public_ip
      ansible_user    = "admin"
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

run "half_of_the_internet_is_refused" {
  command         = plan
  expect_failures = [var.ssh_from]

  variables {
    ssh_from = "0.0.0.0/1"
  }
}

run "private_key_is_refused" {
  command         = plan
  expect_failures = [var.public_key]

  variables {
    public_key = "-----BEGIN OPENSSH PRIVATE KEY-----"
  }
}
