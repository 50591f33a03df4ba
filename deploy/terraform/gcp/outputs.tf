output "inventory" {
  description = "Ansible's inventory, as YAML."
  value       = module.inventory.yaml
}
