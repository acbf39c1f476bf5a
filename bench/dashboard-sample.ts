import pg from 'pg'
import { serve } from './serve.ts'

/** An account with so much of everything that its pages are long. */
export const sampleSizes = {
  projects: 42,
  domains: 200,
  records: 1_500,
  logLines: 100_000,
  usualLogLines: 400
} as const

export type SamplePanel = Awaited<ReturnType<typeof serve>> & {
  cookie: { name: string; value: string }
  projectId: string
  /** One whose log is not long. */
  usualProjectId: string
  deploymentId: string
  domainId: string
  /** How many times slower the processor of its pages is than this machine's. */
  slowedBy: number
}

const colours =
  "E'\\u001b[32m✓\\u001b[0m dist/assets/chunk-' || n || E'.js \\u001b[2m' || n % 190 || E' kB\\u001b[0m' ||"

const logOf = (deploymentId: string, lines: number) => `insert into deployment_logs (deployment_id, text)
  select '${deploymentId}', string_agg(${colours} case when n % 10000 = 42 then ' needle' else '' end || E'\\n', '' order by n) from generate_series(1, ${lines}) n group by n / 1000 order by n / 1000`

const deployed = {
  columns: ', container_status, deployed_at, deployed_domain',
  values: ", 'running', now(), 'project-' || n || '.apps.example.com'"
}

/** Statements for projects p1, p2, …; d1, d2, … are failed deployments of the first ones, with logs of that many lines. */
export const sampleProjects = (
  userId: string,
  count: number,
  logs: readonly number[],
  { columns, values } = { columns: '', values: '' }
): string[] => [
  `insert into projects (id, user_id, node_id, files_node_id, name, type${columns})
     select 'p' || n, '${userId}', nodes.id, nodes.id, 'project-' || n, 'NODEJS'${values} from nodes, generate_series(1, ${count}) n`,
  `update users set project_count = ${count} where id = '${userId}'`,
  `insert into deployments (id, project_id, user_id, status, trigger, started_at, duration)
     select 'd' || n, 'p' || n, '${userId}', 'FAILED', 'MANUAL', now(), 40 from generate_series(1, ${logs.length}) n`,
  ...logs.map((lines, index) => logOf(`d${index + 1}`, lines))
]

/** A panel of its own with that account. Rows as the panel itself makes them; through the API they would take longer than the measurement. */
export async function serveSample(slowedBy: number): Promise<SamplePanel> {
  const panel = await serve()
  const person = { email: 'bench@example.com', password: 'correct horse battery' }
  const body = JSON.stringify({ ...person, name: 'bench', confirmPassword: person.password })
  const headers = { 'content-type': 'application/json' }
  const registered = await fetch(`${panel.url}/api/auth/register`, { method: 'POST', headers, body })
  const { id: userId } = (await registered.json()) as { id: string }
  const [name = '', value = ''] = registered.headers.get('set-cookie')!.split(';')[0]!.split('=')
  const store = new pg.Client({ connectionString: panel.databaseUrl })
  await store.connect()
  const { projects, domains, records, logLines, usualLogLines } = sampleSizes
  const ofUser = `'${userId}'`
  for (const statement of [
    ...sampleProjects(userId, projects, [logLines, usualLogLines], deployed),
    `insert into domains (id, user_id, hostname, status, dns_mode, zone_id, verified_at)
       select 'h' || n, ${ofUser}, 'd' || n || '.example.com', 'ACTIVE', 'MANAGED', 'h' || n, now() from generate_series(1, ${domains}) n`,
    `insert into dns_zones (domain_id, name, serial) select 'h' || n, 'd' || n || '.example.com', 1 from generate_series(1, ${domains}) n`,
    `insert into dns_records (id, domain_id, type, name, value, ttl) select 'r' || n, 'h1', 'A', 'host-' || n, '203.0.113.' || n % 250, 3600 from generate_series(1, ${records}) n`
  ])
    await store.query(statement)
  await store.end()
  const ids = { projectId: 'p1', usualProjectId: 'p2', deploymentId: 'd1', domainId: 'h1' }
  return Object.assign(panel, { cookie: { name, value }, slowedBy, ...ids })
}
