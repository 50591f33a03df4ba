# Ids have a form that the provider checks, and that a mock would not make up.
mock_provider "azurerm" {
  mock_resource "azurerm_subnet" {
    defaults = { id = "/subscriptions/s/resourceGroups/trial/providers/Microsoft.Network/virtualNetworks/trial/subnets/trial" }
  }
  mock_resource "azurerm_network_security_group" {
    defaults = { id = "/subscriptions/s/resourceGroups/trial/providers/Microsoft.Network/networkSecurityGroups/trial" }
  }
  mock_resource "azurerm_public_ip" {
    defaults = { id = "/subscriptions/s/resourceGroups/trial/providers/Microsoft.Network/publicIPAddresses/trial" }
  }
  mock_resource "azurerm_network_interface" {
    defaults = { id = "/subscriptions/s/resourceGroups/trial/providers/Microsoft.Network/networkInterfaces/trial" }
  }
  mock_resource "azurerm_proximity_placement_group" {
    defaults = { id = "/subscriptions/s/resourceGroups/trial/providers/Microsoft.Compute/proximityPlacementGroups/trial" }
  }
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
      for machine in azurerm_linux_virtual_machine.machine : machine if machine.tags.Role == role
    ]) } == { coordinator = 1, workers = 4, brokers = 3 }
    error_message = "The number of machines of a role is not the one that was asked for."
  }

  assert {
    condition = length(distinct([
      for interface in azurerm_network_interface.machine : interface.ip_configuration[0].private_ip_address
    ])) == 8
    error_message = "Two machines have the same address."
  }

  assert {
    condition = [
      for rule in azurerm_network_security_group.this.security_rule :
      [rule.direction, rule.access, rule.protocol, rule.destination_port_range, rule.source_address_prefix]
    ] == [["Inbound", "Allow", "Tcp", "22", var.ssh_from]]
    error_message = "Something else than SSH comes in, or SSH from others than was asked for."
  }

  assert {
    condition = (
      azurerm_subnet_network_security_group_association.this.subnet_id == azurerm_subnet.this.id
      && azurerm_subnet_network_security_group_association.this.network_security_group_id == azurerm_network_security_group.this.id
    )
    error_message = "The firewall is not that of the machines' network."
  }

  assert {
    condition = alltrue([
      for machine in azurerm_linux_virtual_machine.machine :
      machine.proximity_placement_group_id == azurerm_proximity_placement_group.this.id
      && machine.disable_password_authentication != false
    ])
    error_message = "A machine is not close to the others, or lets in with a password."
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
      ansible_host    = azurerm_public_ip.machine["trial-broker-2"].ip_address
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
