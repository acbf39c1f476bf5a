import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { freePort } from '../packages/server/test/support/ports.ts'
import { sampleProjects } from './dashboard-sample.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'

// The last one that runs on Node.js 20. Fetched for the measurement alone: it brings 170 MB that nothing else needs.
const version = '12.8.2'
const rounds = 5

/** What this reads of lighthouse's result. */
interface Result {
  lhr: {
    categories: Record<string, { score: number }>
    audits: Record<string, { numericValue: number }>
  }
}
type Lighthouse = (url: string, flags: Record<string, unknown>) => Promise<Result>

const aims = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 } as const
const seconds = { 'first paint': 'first-contentful-paint', 'largest paint': 'largest-contentful-paint' } as const

/**
 * Lighthouse's mobile profile, a phone by a slow 4G: it loads the page as it is and reckons what each request and each task would have
 * taken there. What it reckons for tasks is as slow as this machine.
 */
export async function benchLighthouse(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'lighthouse-'))
  try {
    const packages = ['--prefix', directory, '--ignore-scripts', `lighthouse@${version}`]
    await step('fetching lighthouse', () => promisify(execFile)('npm', ['install', ...packages]))
    const file = createRequire(join(directory, 'package.json')).resolve('lighthouse')
    await measure(((await import(pathToFileURL(file).href)) as { default: Lighthouse }).default)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function measure(lighthouse: Lighthouse): Promise<void> {
  // A server on which everything works, so that the overview is what an administrator usually sees.
  const panel = await startMeasuredPanel()
  const { cookie, call } = await panel.signUp()
  const { id } = await call<{ id: string }>('GET', '/auth/me')
  for (const statement of sampleProjects(id, 12, [400])) await panel.query(statement)
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`]
  })
  try {
    for (const [name, path, extraHeaders] of [
      ['sign-in', '/login', {}],
      ['overview', '/', { cookie }],
      ['projects', '/projects', { cookie }],
      ['deployments', '/projects/p1/deployments', { cookie }]
    ] as const) {
      const results: Result['lhr'][] = []
      for (let n = 0; n < rounds; n++) {
        const audit = () => lighthouse(`${panel.url}${path}`, { port, logLevel: 'error', extraHeaders })
        results.push((await step(`${name}: round ${n + 1} of ${rounds}`, audit)).lhr)
      }
      reportPage(name, results)
    }
  } finally {
    await browser.close()
    await panel.dispose()
  }
}

function reportPage(name: string, results: readonly Result['lhr'][]): void {
  for (const [category, aim] of Object.entries(aims)) {
    const score = median(results.map(({ categories }) => categories[category]!.score)) * 100
    report(`${name}: ${category}`, score.toFixed(0), { value: score / aim, aim: `>= 1x of ${aim}` })
  }
  for (const [what, audit] of Object.entries(seconds))
    report(
      `${name}: ${what}`,
      `${(median(results.map(({ audits }) => audits[audit]!.numericValue)) / 1000).toFixed(2)} s`
    )
  const blocked = median(results.map(({ audits }) => audits['total-blocking-time']!.numericValue))
  report(`${name}: blocked`, `${blocked.toFixed(0)} ms`)
}
