import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { median, report } from './figures.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

const rounds = 5
const secondsPerRound = 4

/** GET /api/projects with a session, against a bare node:http handler that does the same look-up and query. */
export async function benchList(): Promise<void> {
  const panel = await serve()
  const barePort = await freePort()
  const accounts = {
    few: await createAccount(panel.url, panel.databaseUrl, 'few', 10),
    many: await createAccount(panel.url, panel.databaseUrl, 'many', 10_000)
  }
  const bare = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('bare-server.ts', import.meta.url))], {
    env: {
      ...process.env,
      PORT: String(barePort),
      DATABASE_URL: panel.databaseUrl,
      SESSIONS: JSON.stringify({ few: accounts.few.userId, many: accounts.many.userId })
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    await once(bare.stdout, 'data')
    const bareUrl = `http://127.0.0.1:${barePort}/`
    const targets = {
      'bare, 10 of 10': { url: `${bareUrl}?limit=10`, cookie: 'panel_session=few' },
      'bare, 20 of 10,000': { url: `${bareUrl}?limit=20`, cookie: 'panel_session=many' },
      'panel, 10 of 10': { url: `${panel.url}/api/projects?limit=10`, cookie: accounts.few.cookie },
      // As many rows as above, so that the ratio tells of the number of projects alone.
      'panel, 10 of 10,000': { url: `${panel.url}/api/projects?limit=10`, cookie: accounts.many.cookie },
      'panel, 20 of 10,000': { url: `${panel.url}/api/projects?limit=20`, cookie: accounts.many.cookie }
    }
    const microseconds = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]))
    // Interleaved, after one round to warm up, so that noise meets all alike.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, target] of Object.entries(targets)) {
        const load = () =>
          autocannon({
            url: target.url,
            connections: 8,
            duration: round === 0 ? 2 : secondsPerRound,
            headers: { cookie: target.cookie }
          })
        const result = await step(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${name}`, load)
        if (result.non2xx > 0 || result.errors > 0)
          throw new Error(`${name}: ${result.non2xx} bad answers, ${result.errors} errors`)
        if (round > 0) microseconds.get(name)!.push(1e6 / result.requests.average)
      }
    }
    const of = (name: string) => median(microseconds.get(name)!)
    for (const name of Object.keys(targets)) report(name, `${of(name).toFixed(0)} us/req`)
    report('panel to bare, 10 projects', '', { value: of('panel, 10 of 10') / of('bare, 10 of 10'), aim: '<= 2x' })
    report('panel to bare, 10,000 projects', '', {
      value: of('panel, 20 of 10,000') / of('bare, 20 of 10,000'),
      aim: '<= 2x'
    })
    report('panel, 10,000 projects to 10', '', {
      value: of('panel, 10 of 10,000') / of('panel, 10 of 10'),
      aim: '<= 1.2x'
    })
  } finally {
    bare.kill()
    await panel.stop()
  }
}

async function createAccount(
  url: string,
  databaseUrl: string,
  name: string,
  count: number
): Promise<{ cookie: string; userId: string }> {
  const password = 'correct horse battery'
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@example.com`, password, confirmPassword: password })
  })
  const { id: userId } = (await response.json()) as { id: string }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into projects (id, user_id, name, type, created_at, node_id, files_node_id)
     select $1 || '-' || n, $2, 'project-' || n, 'NODEJS', now() - n * interval '1 minute', nodes.id, nodes.id
     from nodes, generate_series(1, $3::int) n`,
    [name, userId, count]
  )
  await client.query('update users set project_count = $2 where id = $1', [userId, count])
  await client.query('vacuum analyze projects')
  await client.end()
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]!, userId }
}
