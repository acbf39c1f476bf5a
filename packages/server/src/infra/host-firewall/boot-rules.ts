import { createStartUnit, type StartUnit, type StartUnitOptions } from '../process/start-unit.ts'

interface BootRulesOptions extends Pick<StartUnitOptions, 'run' | 'path' | 'logger'> {
  /** Of the rules. */
  table: string
}

// After Debian's unit, which begins with "flush ruleset". What needs the network starts later, and with it the container engine.
// The path is plain (process/paths.ts), so nothing in it has a meaning for systemd.
const renderUnit = (path: string): string => `# Written by the panel.
[Unit]
Description=Firewall rules of the hosting panel
DefaultDependencies=no
Wants=network-pre.target
Before=network-pre.target docker.service shutdown.target
After=nftables.service
Conflicts=shutdown.target
RequiresMountsFor=${path}
ConditionPathExists=${path}

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${path}

[Install]
WantedBy=sysinit.target
`

/** Rules that are loaded when the machine starts, before its network and the container engine. */
export const createBootRules = ({ run, table, path, logger }: BootRulesOptions): StartUnit =>
  createStartUnit({
    run,
    name: `${table}-firewall.service`,
    path,
    check: ['nft', '-c', '-f'],
    text: renderUnit(path),
    logger
  })
