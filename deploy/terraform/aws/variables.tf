variable "run" {
  description = "Name of this cluster: it begins the name of everything that is made, and is the tag Run of it."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,28}[a-z0-9]$", var.run))
    error_message = "Small letters, digits and '-', 2 to 30 of them, a letter first, no '-' at the end."
  }
}

variable "ssh_from" {
  description = "The network that may log in by SSH, such as your own address with /32."
  type        = string

  validation {
    condition     = can(cidrnetmask(var.ssh_from)) && try(tonumber(split("/", var.ssh_from)[1]) >= 8, false)
    error_message = "An IPv4 network such as 198.51.100.7/32, not larger than a /8: SSH must not be open to all."
  }
}

variable "public_key" {
  description = "Your public SSH key, such as file(\"~/.ssh/id_ed25519.pub\") has it. The private one stays with you."
  type        = string

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/=]+", var.public_key))
    error_message = "A line that begins with ssh-ed25519 or ssh-rsa: the public key, not the private one."
  }
}

variable "region" {
  description = "AWS region."
  type        = string
  default     = "us-east-1"
}

variable "zone" {
  description = "Availability zone of all machines, such as us-east-1a, for where AWS's own choice lacks a type."
  type        = string
  default     = null
}

variable "architecture" {
  description = "Of all machines: amd64, or arm64 for Graviton types."
  type        = string
  default     = "amd64"

  validation {
    condition     = contains(["amd64", "arm64"], var.architecture)
    error_message = "Either amd64 or arm64."
  }
}

variable "coordinator_type" {
  description = "Instance type of the coordinator; one of those that a cluster placement group takes, so not a t type."
  type        = string
  default     = "c8i.large"
}

variable "workers" {
  description = "How many machines send and receive."
  type        = number
  default     = 2

  validation {
    condition     = var.workers >= 0 && var.workers <= 50 && floor(var.workers) == var.workers
    error_message = "From 0 to 50."
  }
}

variable "worker_type" {
  description = "Instance type of the workers."
  type        = string
  default     = "c8i.2xlarge"
}

variable "brokers" {
  description = "How many machines are for brokers; none if the system is elsewhere."
  type        = number
  default     = 3

  validation {
    condition     = var.brokers >= 0 && var.brokers <= 50 && floor(var.brokers) == var.brokers
    error_message = "From 0 to 50."
  }
}

variable "broker_type" {
  description = "Instance type of the brokers."
  type        = string
  default     = "i7i.2xlarge"
}

variable "broker_data_disk" {
  description = "Where the local NVMe disk of a broker is, as a pattern; null for types without one, whose data is on the gp3 disk."
  type        = string
  default     = "/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*"
}

variable "broker_disk" {
  description = "The gp3 disk of each broker, from which it boots. What is not given is what a gp3 has at no extra price."
  type = object({
    size_gib             = optional(number, 20)
    iops                 = optional(number, 3000)
    throughput_mib_per_s = optional(number, 125)
  })
  default = {}
}
