terraform {
  required_version = ">= 1.9"

  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = "1.69.0"
    }
  }
}

# The token comes from HCLOUD_TOKEN.
provider "hcloud" {}
