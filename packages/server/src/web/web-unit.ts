import type { OwnUnit } from '../infra/process/own-unit.ts'
import type { SystemUser } from '../infra/process/privileges.ts'
import { stateName } from '../process/runtime-directory.ts'
import { webPlaces } from './web-files.ts'

// Not MemoryDenyWriteExecute: V8 compiles to memory. Not PrivateUsers: its files belong to users of the machine.
const sandbox = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateIPC=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'LockPersonality=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  // Netlink lists network interfaces.
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
  'UMask=0077',
  'LimitNOFILE=65536',
  'TimeoutStopSec=15'
]

interface WebUnitOptions {
  dataDirectory: string
  user: SystemUser
  /** Directories and where the process sees them. It writes to its own and to the spool only. */
  places: readonly { directory: string; at: string }[]
  argv: readonly [string, ...string[]]
}

/** The web process as a service, which systemd confines more than another mount namespace and user do. */
export function webUnit({ dataDirectory, user, places, argv }: WebUnitOptions): OwnUnit {
  const isWritable = (at: string) => at === webPlaces.own || at === webPlaces.spool
  const capability = user.isBindingLowPorts ? 'CAP_NET_BIND_SERVICE' : ''
  return {
    name: `panel-web-${stateName(dataDirectory).slice('panel-'.length)}.service`,
    description: 'Hosting panel: API and dashboard',
    properties: [
      `User=${user.uid}`,
      `Group=${user.gid}`,
      `AmbientCapabilities=${capability}`,
      `CapabilityBoundingSet=${capability}`,
      ...places.map(
        ({ directory, at }) => `${isWritable(at) ? 'BindPaths' : 'BindReadOnlyPaths'}=${quoted(directory)}:${at}`
      ),
      `WorkingDirectory=${webPlaces.spool}`,
      ...sandbox
    ],
    // systemd-run looks for the program outside of the namespace, where that of `argv` is not.
    argv: ['/usr/bin/env', ...argv]
  }
}

/** Paths are separated by colons and spaces outside of quotes. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`
