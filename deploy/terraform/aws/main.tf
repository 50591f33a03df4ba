# Machines for a benchmark on AWS: one coordinator, workers and brokers in one placement group, in a network of their own.

locals {
  subnet = "10.0.0.0/24"

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

data "aws_ami" "debian" {
  owners      = ["136693071363"] # Debian
  most_recent = true

  filter {
    name   = "name"
    values = ["debian-13-${var.architecture}-*"]
  }
}

resource "aws_vpc" "this" {
  cidr_block = local.subnet
  tags       = { Name = var.run }
}

resource "aws_subnet" "this" {
  vpc_id            = aws_vpc.this.id
  cidr_block        = local.subnet
  availability_zone = var.zone
  tags              = { Name = var.run }
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = var.run }
}

resource "aws_route_table" "this" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = var.run }

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.this.id
  }
}

resource "aws_route_table_association" "this" {
  subnet_id      = aws_subnet.this.id
  route_table_id = aws_route_table.this.id
}

resource "aws_security_group" "machines" {
  name        = var.run
  description = "Coordinator, workers and brokers of ${var.run}"
  vpc_id      = aws_vpc.this.id
  tags        = { Name = var.run }
}

resource "aws_vpc_security_group_ingress_rule" "each_other" {
  security_group_id            = aws_security_group.machines.id
  description                  = "All traffic between coordinator, workers and brokers"
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.machines.id
}

resource "aws_vpc_security_group_ingress_rule" "ssh" {
  security_group_id = aws_security_group.machines.id
  description       = "SSH from the network that was given"
  ip_protocol       = "tcp"
  from_port         = 22
  to_port           = 22
  cidr_ipv4         = var.ssh_from
}

# Packages and brokers are fetched from the Internet.
resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.machines.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_placement_group" "this" {
  name     = var.run
  strategy = "cluster"
}

resource "aws_key_pair" "this" {
  key_name   = var.run
  public_key = var.public_key
}

resource "aws_instance" "machine" {
  for_each = local.machines

  ami                         = data.aws_ami.debian.id
  instance_type               = each.value.type
  subnet_id                   = aws_subnet.this.id
  private_ip                  = cidrhost(local.subnet, each.value.host)
  associate_public_ip_address = true
  vpc_security_group_ids      = [aws_security_group.machines.id]
  placement_group             = aws_placement_group.this.name
  key_name                    = aws_key_pair.this.key_name
  ebs_optimized               = true
  tags                        = { Name = each.key, Role = each.value.role }
  volume_tags                 = { Name = each.key, Run = var.run }

  root_block_device {
    encrypted   = true
    volume_type = "gp3"
    volume_size = each.value.role == "brokers" ? var.broker_disk.size_gib : 20
    iops        = each.value.role == "brokers" ? var.broker_disk.iops : 3000
    throughput  = each.value.role == "brokers" ? var.broker_disk.throughput_mib_per_s : 125
  }

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  # A newer image must not replace machines on which a plan is half done.
  lifecycle {
    ignore_changes = [ami]
  }
}

module "inventory" {
  source = "../inventory"

  user = "admin"
  machines = {
    for name, machine in aws_instance.machine : name => {
      role            = local.machines[name].role
      address         = machine.public_ip
      private_address = machine.private_ip
      data_disk       = local.machines[name].role == "brokers" ? var.broker_data_disk : null
    }
  }
}
