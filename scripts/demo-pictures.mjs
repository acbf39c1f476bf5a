// `npm run pictures:readme`: starts `./panel demo` in a temporary folder and writes the README's pictures to docs/pictures.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dataDir = mkdtempSync(join(tmpdir(), 'panel-demo-'))
const names = ['PORT', 'PROXY_HTTP_PORT', 'PROXY_HTTPS_PORT', 'DNS_PORT', 'POSTGRES_PORT', 'MYSQL_PORT', 'SFTP_PORT']
const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])))
const env = { ...process.env, ...ports, DATA_DIR: dataDir, HOST: '127.0.0.1', DNS_LISTEN: '127.0.0.1' }
const panel = spawn(join(root, 'panel'), ['demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const output = await untilReady(panel)
  const [, email, password] = /^Demo account: (\S+) with the password (\S+)$/m.exec(output)
  await takePictures(`http://127.0.0.1:${ports.PORT}`, { email, password })
} finally {
  panel.kill('SIGTERM')
  await new Promise((resolve) => panel.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

async function takePictures(url, account) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1440, height: 960 }, baseURL: url })
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/`)
  const projects = (await (await page.request.get('/api/projects')).json()).projects
  const domains = await (await page.request.get('/api/domains')).json()
  const shop = projects.find(({ name }) => name === 'bakery-shop').id
  const pictures = [
    ['overview', '/'],
    ['project', `/projects/${shop}/deployments`],
    ['monitoring', `/projects/${shop}/monitoring?range=24h`],
    ['domain', `/domains/${(domains.items ?? domains)[0].id}`]
  ]
  for (const [name, path] of pictures) {
    await page.goto(path)
    await page.waitForTimeout(4_000)
    await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) })
  }
  await browser.close()
}

function untilReady(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Panel ready')) resolve(output)
    })
    child.once('exit', () => reject(new Error(`the demo did not start:\n${output}`)))
  })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
