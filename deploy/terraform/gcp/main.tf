# Machines for a benchmark on Google Cloud: one coordinator, workers and brokers close together, in a network of their own.

locals {
  subnet = "10.0.0.0/24"
  region = replace(var.zone, "/-[a-z]$/", "")
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

data "google_compute_image" "debian" {
  project = "debian-cloud"
  family  = var.architecture == "arm64" ? "debian-13-arm64" : "debian-13"
}

resource "google_compute_network" "this" {
  name                    = var.run
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "this" {
  name          = var.run
  network       = google_compute_network.this.id
  region        = local.region
  ip_cidr_range = local.subnet
}

# Everything else that comes in is denied by the network itself.
resource "google_compute_firewall" "each_other" {
  name        = "${var.run}-each-other"
  network     = google_compute_network.this.id
  description = "All traffic between coordinator, workers and brokers"
  direction   = "INGRESS"
  source_tags = [var.run]
  target_tags = [var.run]

  allow {
    protocol = "all"
  }
}

resource "google_compute_firewall" "ssh" {
  name          = "${var.run}-ssh"
  network       = google_compute_network.this.id
  description   = "SSH from the network that was given"
  direction     = "INGRESS"
  source_ranges = [var.ssh_from]
  target_tags   = [var.run]

  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}

resource "google_compute_resource_policy" "close" {
  name   = var.run
  region = local.region

  group_placement_policy {
    collocation = "COLLOCATED"
  }
}

resource "google_compute_instance" "machine" {
  for_each = local.machines

  name              = each.key
  zone              = var.zone
  machine_type      = each.value.type
  tags              = [var.run]
  labels            = { role = each.value.role }
  resource_policies = [google_compute_resource_policy.close.id]

  boot_disk {
    initialize_params {
      image = data.google_compute_image.debian.self_link
      type  = var.disk_type
      size  = each.value.role == "brokers" ? var.broker_disk_gib : 20
    }
  }

  network_interface {
    subnetwork = google_compute_subnetwork.this.id
    network_ip = cidrhost(local.subnet, each.value.host)
    nic_type   = "GVNIC"

    access_config {}
  }

  # A machine that moves to another host stands still meanwhile, which would count as latency of the broker.
  scheduling {
    on_host_maintenance = "TERMINATE"
    automatic_restart   = false
  }

  metadata = {
    ssh-keys               = "debian:${var.public_key}"
    block-project-ssh-keys = "TRUE"
    enable-oslogin         = "FALSE"
  }

  # A newer image must not replace machines on which a plan is half done.
  lifecycle {
    ignore_changes = [boot_disk[0].initialize_params[0].image]
  }
}

module "inventory" {
  source = "../inventory"

  user = "debian"
  machines = {
    for name, machine in google_compute_instance.machine : name => {
      role            = local.machines[name].role
      address         = machine.network_interface[0].access_config[0].nat_ip
      private_address = machine.network_interface[0].network_ip
      data_disk       = local.machines[name].role == "brokers" ? var.broker_data_disk : null
    }
  }
}
