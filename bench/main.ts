import { parseArgs } from 'node:util'
import { benchAuth } from './auth.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDatabases } from './databases.ts'
import { benchDeploy } from './deploy.ts'
import { benchDomains } from './domains.ts'
import { benchFairness } from './fairness.ts'
import { benchFiles } from './files.ts'
import { takeRows } from './figures.ts'
import { benchFrameworks } from './frameworks.ts'
import { benchIdle } from './idle.ts'
import { benchJobs } from './jobs.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchList } from './list.ts'
import { benchLive } from './live.ts'
import { benchMail } from './mail.ts'
import { benchMailMemory } from './mail-memory.ts'
import { benchMailboxes } from './mailboxes.ts'
import { benchMetrics } from './metrics.ts'
import { benchNetworks } from './networks.ts'
import { benchRedeploys } from './redeploys.ts'
import { beginPart } from './results.ts'
import { benchStart } from './start.ts'
import { benchTraffic } from './traffic.ts'
import { benchWordpress } from './wordpress.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    'idle-seconds': { type: 'string', default: '600' },
    kind: { type: 'string' },
    clients: { type: 'string', default: '1000' },
    slowed: { type: 'string', default: '4' },
    sizes: { type: 'string', default: '10,1000,10000' },
    frameworks: { type: 'string', default: '' }
  }
})

/** Each prints its figures and the ratios of one run. See docs/performance.md. */
const benches = {
  list: benchList,
  auth: benchAuth,
  start: async () => {
    await benchStart()
    await benchIdle(Number(values['idle-seconds']))
  },
  deploy: benchDeploy,
  redeploys: benchRedeploys,
  frameworks: () => benchFrameworks(values.frameworks.split(',').filter((name) => name !== '')),
  domains: () => benchDomains(values.sizes.split(',').map(Number)),
  dashboard: () => benchDashboard(Number(values.slowed)),
  lighthouse: benchLighthouse,
  databases: benchDatabases,
  wordpress: benchWordpress,
  files: benchFiles,
  jobs: benchJobs,
  live: () => benchLive(Number(values.clients)),
  mail: benchMail,
  'mail-memory': benchMailMemory,
  mailboxes: benchMailboxes,
  metrics: benchMetrics,
  networks: benchNetworks,
  traffic: benchTraffic,
  fairness: () => benchFairness(values.kind)
}

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n## ${name}`)
  const end = beginPart()
  await bench()
  end(name, takeRows())
}
