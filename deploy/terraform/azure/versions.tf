terraform {
  required_version = ">= 1.9"

  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "5.2.0"
    }
  }
}

# The subscription comes from ARM_SUBSCRIPTION_ID, the login from az login.
provider "azurerm" {
  resource_providers_to_register = ["Microsoft.Compute", "Microsoft.Network"]

  features {}
}
