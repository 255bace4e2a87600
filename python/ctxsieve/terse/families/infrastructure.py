"""terraform and ansible."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

FAMILIES = (
    Family(
        "terraform init",
        (("terraform", "init"), ("tofu", "init")),
        (
            lite(
                r"^- (?:Finding|Installing|Installed|Using previously|Reusing previous|Downloading)", "provider steps"
            ),
            standard(
                r"^(?:Terraform has created a lock file|selections it made above|so that Terraform can"
                r"|you run \"terraform init\"|You may now begin|any changes that are|should now work\."
                r"|If you ever set|rerun this command|commands will detect)",
                "advice",
            ),
            standard(
                r"^(?:Partner and community|If you'd like to know|https://(?:www\.terraform"
                r"|developer\.hashicorp)|provider signing|OpenTofu has created)",
                "advice",
            ),
        ),
        re.compile(
            r"^Initializing (?:the backend|provider plugins|modules)|^(?:Terraform"
            r"|OpenTofu) has been successfully initialized"
        ),
    ),
    Family(
        "terraform plan",
        (("terraform",), ("tofu",), ("terragrunt",)),
        (
            lite(
                r": (?:Refreshing state\.\.\.|Reading\.\.\.|Read complete after|Still (?:creating|destroying"
                r"|modifying|reading)\.\.\.|Preparing import)",
                "state refresh",
            ),
            lite(r"^(?:Acquiring|Releasing) state lock", "state lock"),
            standard(r"^\s+# \(\d+ unchanged .* hidden\)", "unchanged attributes"),
            standard(
                r"^(?:Terraform|OpenTofu) used the selected providers|^plan\. Resource actions|^symbols:$"
                r"|^  [-+~/<=]+ (?:create|destroy|update in-place|read \(data)|^Note: You didn't use the -out"
                r"|^guarantee to take exactly|^(?:Terraform|OpenTofu) will perform the following"
                r"|^\"terraform apply\" now",
                "legend",
            ),
            maximum(r"= \(known after apply\)$", "attributes known after apply", shown=3),
        ),
        re.compile(
            r"^(?:Plan: \d+ to add|\s*# \S+ will be |Terraform used the selected providers"
            r"|Terraform will perform)|: Refreshing state\.\.\."
        ),
    ),
    Family(
        "ansible",
        (("ansible-playbook",), ("ansible",)),
        (
            lite(r"^(?:skipping|included): ", "skipped hosts"),
            standard(r"^ok: \[", "hosts in order", shown=3),
            standard(r"^(?:TASK|PLAY|RUNNING HANDLER|GATHERING FACTS) \[.*\] \*+$", "task headers", shown=30),
        ),
        re.compile(r"^(?:PLAY|TASK|RUNNING HANDLER) \[.*\] \*+$|^PLAY RECAP \*+"),
    ),
)
