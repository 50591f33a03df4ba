# Machines for a benchmark on Hetzner Cloud: one coordinator, workers and brokers, each on a host of its own, in a private
# network.

locals {
  subnet = "10.0.0.0/24"
  labels = { run = var.run }

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

data "hcloud_location" "this" {
  name = var.location
}

data "hcloud_image" "debian" {
  name              = "debian-13"
  with_architecture = var.architecture
}

resource "hcloud_network" "this" {
  name     = var.run
  ip_range = local.subnet
  labels   = local.labels
}

resource "hcloud_network_subnet" "this" {
  network_id   = hcloud_network.this.id
  type         = "cloud"
  network_zone = data.hcloud_location.this.network_zone
  ip_range     = local.subnet
}

# Holds for public addresses: SSH comes in from one network, nothing else does. The private network has these machines alone,
# and no firewall between them.
resource "hcloud_firewall" "public" {
  name   = var.run
  labels = local.labels

  rule {
    description = "SSH from the network that was given"
    direction   = "in"
    protocol    = "tcp"
    port        = "22"
    source_ips  = [var.ssh_from]
  }
}

resource "hcloud_placement_group" "this" {
  name   = var.run
  type   = "spread"
  labels = local.labels
}

resource "hcloud_ssh_key" "this" {
  name       = var.run
  public_key = var.public_key
  labels     = local.labels
}

resource "hcloud_server" "machine" {
  for_each = local.machines

  name               = each.key
  image              = data.hcloud_image.debian.id
  server_type        = each.value.type
  location           = var.location
  placement_group_id = hcloud_placement_group.this.id
  firewall_ids       = [hcloud_firewall.public.id]
  ssh_keys           = [hcloud_ssh_key.this.id]
  labels             = merge(local.labels, { role = each.value.role })

  public_net {
    ipv4_enabled = true
    ipv6_enabled = false
  }

  network {
    subnet_id = hcloud_network_subnet.this.id
    ip        = cidrhost(local.subnet, each.value.host)
    # Without it the network is taken off and put on again at every apply.
    alias_ips = []
  }

  # A newer image must not replace machines on which a plan is half done.
  lifecycle {
    ignore_changes = [image]
  }
}

module "inventory" {
  source = "../inventory"

  user = "root"
  machines = {
    for name, machine in hcloud_server.machine : name => {
      role            = local.machines[name].role
      address         = machine.ipv4_address
      private_address = cidrhost(local.subnet, local.machines[name].host)
    }
  }
}
