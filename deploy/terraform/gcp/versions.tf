terraform {
  required_version = ">= 1.9"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "7.46.0"
    }
  }
}

# The project comes from GOOGLE_PROJECT, the login from GOOGLE_APPLICATION_CREDENTIALS or gcloud.
provider "google" {
  region = local.region
  zone   = var.zone

  default_labels = local.labels
}
