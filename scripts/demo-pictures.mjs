// `npm run pictures:readme`: starts `./panel demo` in a temporary folder and writes the README's pictures to docs/pictures.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dataDir = mkdtempSync(join(tmpdir(), 'panel-demo-'))
const services = ['PROXY_HTTP', 'PROXY_HTTPS', 'DNS', 'POSTGRES', 'MYSQL', 'SFTP', 'SMTP', 'SUBMISSION', 'SUBMISSIONS']
const mailServices = ['IMAP', 'IMAPS', 'MANAGESIEVE', 'LMTP']
const mailHelpers = ['AUTH', 'QUOTA', 'POLICY', 'SRS', 'SRS_REVERSE', 'FORWARD'].map((name) => `MAIL_${name}`)
const names = ['PORT', ...[...services, ...mailServices, ...mailHelpers].map((name) => `${name}_PORT`)]
const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])))
const env = {
  ...process.env,
  ...ports,
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  DNS_LISTEN: '127.0.0.1',
  DNS_NAMESERVERS: 'ns1.fischer-web.example,ns2.fischer-web.example',
  PUBLIC_IP: '203.0.113.10'
}
const panel = spawn(join(root, 'panel'), ['demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const output = await untilReady(panel)
  const [, email, password] = /^Demo account: (\S+) with the password (\S+)$/m.exec(output)
  const [, site] = /^Sample site: (\S+)$/m.exec(output)
  await takePictures(`http://127.0.0.1:${ports.PORT}`, { email, password }, new URL(site).hostname)
} finally {
  panel.kill('SIGTERM')
  if (panel.exitCode === null) await new Promise((resolve) => panel.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

async function takePictures(baseURL, account, siteHost) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, baseURL })
  const page = await context.newPage()
  const read = async (path) => (await page.request.get(path)).json()
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${baseURL}/`)
  await until('all sites are deployed', async () => {
    const { projects } = await read('/api/projects')
    return projects.every(({ latestDeployment }) => ['RUNNING', 'FAILED'].includes(latestDeployment.status))
  })
  await until('a message waits in the queue', async () => {
    const { messages } = await read('/api/mail/queue')
    return messages.some(({ flagged, reason }) => flagged === 'none' && reason !== null)
  })
  const { projects } = await read('/api/projects')
  const domains = await read('/api/domains')
  const shop = projects.find(({ name }) => name === 'bakery-shop').id
  const bakery = domains.find(({ hostname }) => hostname === 'brandt-bakery.example').id
  const pictures = [
    ['overview', '/', 'bakery-shop'],
    ['project', `/projects/${shop}/logs`, 'GET /contact'],
    ['dns', `/domains/${bakery}/dns`, '_dmarc'],
    ['mail', `/domains/${bakery}/mail`, 'Deliverability']
  ]
  const visited = ['/', '/menu', '/menu/bread', '/orders/1041', '/menu/cakes', '/cart', '/orders/1042', '/contact']
  for (const path of [...visited, ...visited, ...visited]) await visit(siteHost, path)
  for (const [name, path, text] of pictures) {
    await page.goto(path)
    await page.getByText(text).first().waitFor()
    await sleep(3_000) // Charts and live figures.
    writeFileSync(join(root, 'docs/pictures', `${name}.webp`), await webpOf(browser, await page.screenshot()))
  }
  await browser.close()
}

/** A request through the proxy, for the site's log. */
function visit(host, path) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: ports.PROXY_HTTP_PORT, path, headers: { host } }
    get(options, (response) => response.resume().once('end', resolve)).once('error', reject)
  })
}

/** A quarter of the size of the PNG. */
async function webpOf(browser, png) {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.9)
    },
    `data:image/png;base64,${png.toString('base64')}`
  )
  await page.close()
  return Buffer.from(url.split(',')[1], 'base64')
}

async function until(what, isDone) {
  for (const end = Date.now() + 180_000; Date.now() < end; await sleep(500)) if (await isDone()) return
  throw new Error(`Not within three minutes: ${what}`)
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
