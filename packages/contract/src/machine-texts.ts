/** What is wrong with a machine, and what to do. */
export const machineProblemTexts = {
  UNREACHABLE:
    'The panel cannot connect over SSH: {{reason}}. Check that the machine runs, its address and its firewall',
  NOT_DEBIAN: 'It runs {{system}}. Install Debian 12 or 13',
  ENGINE: 'The container engine is not responding: {{reason}}. Install docker.io and start it',
  HELPER: 'The panel’s helper does not run: {{reason}}. Install the same version of the panel as on this server',
  VERSION: 'It has version {{version}} of the panel, this server has {{own}}. Install the same version',
  CLOCK: 'Its clock is off by {{seconds}} s. Set up time synchronization, for example with systemd-timesyncd',
  TUNNEL_PACKAGES:
    'WireGuard is missing on it. Run there as root: apt-get install --no-install-recommends {{packages}}',
  TUNNEL_PACKAGES_HERE:
    'WireGuard is missing on the server of the panel. Run there as root: apt-get install --no-install-recommends {{packages}}',
  TUNNEL: 'The encrypted network cannot be set up: {{reason}}',
  TUNNEL_SILENT:
    'It does not answer in the encrypted network. Allow UDP port {{port}} in its firewall, from the address of the panel',
  PROXY: 'Its reverse proxy does not serve visitors: {{reason}}',
  DISK: 'Its disk is {{percent}} % full. Free up space or add a disk'
} as const
export type MachineProblem = keyof typeof machineProblemTexts

/** Why the upgrade of a machine stopped. */
export const machineUpgradeFailureTexts = {
  STUCK: '{{count}} projects did not leave it within an hour. Look at their latest deployments, then upgrade again',
  PANEL: 'The panel could not be copied to it: {{reason}}. Solve that, then upgrade again',
  PACKAGES: 'Its packages could not be upgraded: {{reason}}. Solve that on the machine, then upgrade again',
  PROBLEMS: 'It did not work without problems afterwards: {{reason}}. Solve that, then upgrade again',
  OTHER: 'The upgrade stopped: {{reason}}. Upgrade again'
} as const
export type MachineUpgradeFailure = keyof typeof machineUpgradeFailureTexts

/** Why a project lies on its machine, or why there is none for it. */
export const placementTexts = {
  ONLY: 'It is the only machine that takes sites',
  FILES: 'The files of the project are on this machine',
  VOLUMES: 'The volumes of the project are on this machine',
  REACHABLE:
    'Other projects of the account reach it by its name, or it has published TCP ports, which work only on this machine',
  SLEEP: 'It can sleep, which works only on this machine',
  ASKED: 'It was moved there on request',
  PAUSED: 'No other machine can take it',
  LEAVES: 'It moves to {{machine}}, at the latest with its next deployment',
  LABELS: 'It is the only machine with the labels {{labels}} that takes sites',
  INSTANCES: 'Its instances are spread over the machines that take sites',
  WAITS: 'Its other instances serve until this machine is back, because no other machine can take this one',
  SPREAD: 'Of the machines for sites it had the smallest share of its memory promised',
  NONE: 'No machine can take new sites: {{machines}}. Resume one of them, or check why it is not responding',
  AWAY: 'The project belongs on {{machine}}, which cannot take work at the moment',
  NOT_ABLE:
    'The project cannot go to {{machine}}. It must take sites, have the labels of the project, and respond without problems',
  FILES_LABELS:
    'A project that keeps files is on the machine of the panel, which does not have the labels {{labels}}. Choose other labels, or turn off keepsFiles',
  NO_LABELS:
    'No machine for sites has the labels {{labels}}. Choose other labels, or ask an administrator to add them to a machine'
} as const
export type PlacementText = keyof typeof placementTexts
