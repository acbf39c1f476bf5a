import { parseArgs } from 'node:util'
import { benchAuth } from './auth.ts'
import { benchBackups } from './backups.ts'
import { benchBans } from './bans.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDatabases } from './databases.ts'
import { benchDeploy } from './deploy.ts'
import { benchDisk } from './disk.ts'
import { benchDomains } from './domains.ts'
import { benchFailures } from './failures.ts'
import { benchStorePair } from './store-pair.ts'
import { benchFairness } from './fairness.ts'
import { benchFiles } from './files.ts'
import { benchFrameworks } from './frameworks.ts'
import { benchIdle, benchSchedules } from './idle.ts'
import { benchInstances } from './instances.ts'
import { benchJobs } from './jobs.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchList } from './list.ts'
import { benchLive } from './live.ts'
import { benchMachines } from './machines.ts'
import { benchMail } from './mail.ts'
import { benchMailMemory } from './mail-memory.ts'
import { benchMailboxes } from './mailboxes.ts'
import { benchMetrics } from './metrics.ts'
import { benchNetworks } from './networks.ts'
import { benchRedeploys } from './redeploys.ts'
import { benchRestore } from './restore.ts'
import { benchRules } from './rules.ts'
import { benchStaging } from './staging.ts'
import { benchStart } from './start.ts'
import { benchTraffic } from './traffic.ts'
import { benchWake } from './wake.ts'
import { benchWordpressPages } from './wordpress-pages.ts'
import { benchWordpressSites } from './wordpress-sites.ts'
import { benchWordpress } from './wordpress.ts'

export const parseOptions = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      compare: { type: 'boolean', default: false },
      runs: { type: 'string' },
      'idle-seconds': { type: 'string', default: '600' },
      kind: { type: 'string' },
      clients: { type: 'string', default: '1000' },
      slowed: { type: 'string', default: '4' },
      'backup-files': { type: 'string', default: '10000' },
      'backup-megabytes': { type: 'string', default: '1024' },
      sizes: { type: 'string', default: '10,1000,10000' },
      frameworks: { type: 'string', default: '' },
      sites: { type: 'string', default: '20' }
    }
  })

type Options = ReturnType<typeof parseOptions>['values']

interface Part {
  run(options: Options): Promise<void>
  needsEngine?: boolean
  /** Its ratios are of p99s or of single packets, which vary from run to run: compared is the median of several. */
  isNoisy?: boolean
}

/** Each prints its figures and the ratios of one run. See docs/performance.md. */
export const parts: Readonly<Record<string, Part>> = {
  list: { run: benchList },
  disk: { run: benchDisk, isNoisy: true },
  auth: { run: benchAuth, isNoisy: true },
  start: {
    needsEngine: true,
    async run(options) {
      await benchStart()
      await benchIdle(Number(options['idle-seconds']))
    }
  },
  schedules: {
    needsEngine: true,
    run: (options) => benchSchedules(Number(options['idle-seconds']))
  },
  backups: {
    isNoisy: true,
    run: (options) => benchBackups(Number(options['backup-files']), Number(options['backup-megabytes']))
  },
  restore: {
    needsEngine: true,
    run: (options) => benchRestore(Number(options['backup-files']), Number(options['backup-megabytes']))
  },
  bans: { run: benchBans, isNoisy: true },
  deploy: { run: benchDeploy, needsEngine: true },
  redeploys: { run: benchRedeploys, needsEngine: true },
  frameworks: {
    needsEngine: true,
    run: ({ frameworks }) => benchFrameworks(frameworks.split(',').filter((name) => name !== ''))
  },
  domains: { run: ({ sizes }) => benchDomains(sizes.split(',').map(Number)), needsEngine: true },
  dashboard: { run: ({ slowed }) => benchDashboard(Number(slowed)) },
  lighthouse: { run: benchLighthouse, needsEngine: true },
  databases: { run: benchDatabases, needsEngine: true },
  instances: { run: benchInstances, needsEngine: true },
  machines: { run: benchMachines, needsEngine: true },
  failures: { run: benchFailures, needsEngine: true },
  'store-pair': { run: benchStorePair, needsEngine: true },
  wake: { run: benchWake, needsEngine: true },
  wordpress: {
    needsEngine: true,
    async run() {
      await benchWordpress()
      await benchWordpressPages()
    }
  },
  'wordpress-memory': { needsEngine: true, run: ({ sites }) => benchWordpressSites(Number(sites)) },
  staging: { run: benchStaging, isNoisy: true },
  files: { run: benchFiles },
  jobs: { run: benchJobs },
  live: { run: ({ clients }) => benchLive(Number(clients)), isNoisy: true },
  mail: { run: benchMail },
  'mail-memory': { run: benchMailMemory, needsEngine: true },
  mailboxes: { run: benchMailboxes, needsEngine: true },
  metrics: { run: benchMetrics },
  networks: { run: benchNetworks, needsEngine: true, isNoisy: true },
  traffic: { run: benchTraffic },
  rules: { run: benchRules, isNoisy: true },
  fairness: { run: ({ kind }) => benchFairness(kind), needsEngine: true, isNoisy: true }
}
