variable "run" {
  description = "Name of this cluster: it begins the name of everything that is made, and is the label run of it."
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
  description = "A public SSH key that the project does not have yet. The private one stays with you."
  type        = string

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/=]+", var.public_key))
    error_message = "A line that begins with ssh-ed25519 or ssh-rsa: the public key, not the private one."
  }
}

variable "location" {
  description = "Hetzner's location of all machines."
  type        = string
  default     = "fsn1"
}

variable "architecture" {
  description = "Of all machines: x86, or arm for CAX types."
  type        = string
  default     = "x86"

  validation {
    condition     = contains(["x86", "arm"], var.architecture)
    error_message = "Either x86 or arm."
  }
}

variable "coordinator_type" {
  description = "Server type of the coordinator."
  type        = string
  default     = "ccx13"
}

variable "workers" {
  description = "How many machines send and receive."
  type        = number
  default     = 2

  validation {
    condition     = var.workers >= 0 && floor(var.workers) == var.workers
    error_message = "A whole number, 0 or more."
  }
}

variable "worker_type" {
  description = "Server type of the workers."
  type        = string
  default     = "ccx23"
}

variable "brokers" {
  description = "How many machines are for brokers; none if the system is elsewhere."
  type        = number
  default     = 3

  validation {
    condition     = var.brokers >= 0 && floor(var.brokers) == var.brokers
    error_message = "A whole number, 0 or more."
  }

  validation {
    condition     = 1 + var.workers + var.brokers <= 10
    error_message = "Coordinator, workers and brokers are ten machines at most: no more fit a placement group of Hetzner's."
  }
}

variable "broker_type" {
  description = "Server type of the brokers."
  type        = string
  default     = "ccx33"
}
