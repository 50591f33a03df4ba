# Machines for a benchmark on Azure: one coordinator, workers and brokers close together, in a network of their own.

locals {
  subnet = "10.0.0.0/24"
  tags   = { Run = var.run }

  # An address says what a machine is, and does not change with the number of the others.
  machines = merge(
    { "${var.run}-coordinator" = { role = "coordinator", type = var.coordinator_type, host = 10 } },
    {
      for n in range(1, var.workers + 1) :
      "${var.run}-worker-${n}" => { role = "workers", type = var.worker_type, host = 100 + n }
    },
    {
      for n in range(1, var.brokers + 1) :
      "${var.run}-broker-${n}" => { role = "brokers", type = var.broker_type, host = 200 + n }
    },
  )
}

# Everything is in it, so that nothing remains without it.
resource "azurerm_resource_group" "this" {
  name     = var.run
  location = var.location
  tags     = local.tags
}

resource "azurerm_virtual_network" "this" {
  name                = var.run
  resource_group_name = azurerm_resource_group.this.name
  location            = azurerm_resource_group.this.location
  address_space       = [local.subnet]
  tags                = local.tags
}

resource "azurerm_subnet" "this" {
  name                 = var.run
  resource_group_name  = azurerm_resource_group.this.name
  virtual_network_name = azurerm_virtual_network.this.name
  address_prefixes     = [local.subnet]
}

# Azure's own rules, after this one, let in what comes from the same network, and nothing else.
resource "azurerm_network_security_group" "this" {
  name                = var.run
  resource_group_name = azurerm_resource_group.this.name
  location            = azurerm_resource_group.this.location
  tags                = local.tags

  security_rule {
    name                       = "ssh"
    description                = "SSH from the network that was given"
    priority                   = 100
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    source_address_prefix      = var.ssh_from
    destination_port_range     = "22"
    destination_address_prefix = "*"
  }
}

resource "azurerm_subnet_network_security_group_association" "this" {
  subnet_id                 = azurerm_subnet.this.id
  network_security_group_id = azurerm_network_security_group.this.id
}

resource "azurerm_proximity_placement_group" "this" {
  name                = var.run
  resource_group_name = azurerm_resource_group.this.name
  location            = azurerm_resource_group.this.location
  tags                = local.tags
}

resource "azurerm_public_ip" "machine" {
  for_each = local.machines

  name                = each.key
  resource_group_name = azurerm_resource_group.this.name
  location            = azurerm_resource_group.this.location
  allocation_method   = "Static"
  tags                = local.tags
}

resource "azurerm_network_interface" "machine" {
  for_each = local.machines

  name                           = each.key
  resource_group_name            = azurerm_resource_group.this.name
  location                       = azurerm_resource_group.this.location
  accelerated_networking_enabled = true
  tags                           = local.tags

  ip_configuration {
    name                          = "both"
    subnet_id                     = azurerm_subnet.this.id
    private_ip_address_allocation = "Static"
    private_ip_address            = cidrhost(local.subnet, each.value.host)
    public_ip_address_id          = azurerm_public_ip.machine[each.key].id
  }
}

resource "azurerm_linux_virtual_machine" "machine" {
  for_each = local.machines

  name                         = each.key
  resource_group_name          = azurerm_resource_group.this.name
  location                     = azurerm_resource_group.this.location
  size                         = each.value.type
  admin_username               = "debian"
  network_interface_ids        = [azurerm_network_interface.machine[each.key].id]
  proximity_placement_group_id = azurerm_proximity_placement_group.this.id
  disk_controller_type         = var.disk_controller
  tags                         = merge(local.tags, { Role = each.value.role })

  admin_ssh_key {
    username   = "debian"
    public_key = var.public_key
  }

  os_disk {
    caching              = "None"
    storage_account_type = "Premium_LRS"
    disk_size_gb         = each.value.role == "brokers" ? var.broker_disk_gib : 32
  }

  source_image_reference {
    publisher = "Debian"
    offer     = "debian-13"
    sku       = var.architecture == "arm64" ? "13-arm64" : "13-gen2"
    version   = "latest"
  }

  # The machine is closed from its first moment on.
  depends_on = [azurerm_subnet_network_security_group_association.this]
}

module "inventory" {
  source = "../inventory"

  user = "debian"
  machines = {
    for name, machine in azurerm_linux_virtual_machine.machine : name => {
      role            = local.machines[name].role
      address         = azurerm_public_ip.machine[name].ip_address
      private_address = cidrhost(local.subnet, local.machines[name].host)
      data_disk       = local.machines[name].role == "brokers" ? var.broker_data_disk : null
    }
  }
}
