import type { Health } from '@panel/contract/system'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { german } from '../../packages/dashboard/src/features/settings/setting-about.de.ts'
import { certificates } from '../../packages/server/src/db/schema/certificates.ts'
import { deliveryTests } from '../../packages/server/src/db/schema/delivery-tests.ts'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { wordpressImports } from '../../packages/server/src/db/schema/wordpress-imports.ts'
import { notify } from '../../packages/server/src/features/notifications/notify-access.ts'
import { findProject } from '../../packages/server/src/features/projects/project-access.ts'
import { notifyImport } from '../../packages/server/src/features/wordpress/import-notification.service.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { AdapterError } from '../../packages/server/src/infra/adapter-error.ts'
import type { Git } from '../../packages/server/src/infra/git/git.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import {
  addDomain,
  addManagedDomain,
  addVerifiedDomain,
  publicDnsOf
} from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

const manifest = { scripts: { build: 'astro build' }, dependencies: { astro: '1' }, engines: { node: '18' } }
const memory = createMemoryGit()
const git: Git = {
  ...memory,
  async listBranches(directory, remote, options) {
    if (remote.url.startsWith('ssh:')) throw new AdapterError('repository-private', [{ code: 'GIT_KEY_REFUSED' }])
    if (remote.url.includes('/strange'))
      throw new AdapterError('repository-unavailable', [{ code: 'GIT_FAILED', values: { problem: 'fatal: odd' } }])
    return memory.listBranches(directory, remote, options)
  },
  listFiles: async () => [{ path: 'package.json', kind: 'file', sizeBytes: 1 }],
  readFile: async (_directory, _hash, path) => (path === 'package.json' ? JSON.stringify(manifest) : undefined)
}

let pages: Pages
let ada: Client
beforeAll(async () => {
  pages = await startPages(
    {
      PUBLIC_IP: '203.0.113.1',
      PANEL_DOMAIN: 'panel.test',
      DNS_NAMESERVERS: 'ns1.host.example,ns2.host.example',
      GIT_EXTRA_HOSTS: 'git.example.invalid'
    },
    { git }
  )
  ada = await pages.panel.signUp('ada')
  await ada.request('PATCH', '/api/users/me', { locale: 'de' })
})
afterAll(() => pages?.close())

test('form errors are in German: rules, server errors and network errors', async () => {
  const { page, context, complaints } = await pages.open()
  await context.addInitScript(`localStorage.setItem('locale', 'de')`)
  await page.goto('/register')
  await page.getByLabel('Name').fill('Bo')
  await page.getByLabel('E-Mail').fill('bo')
  await page.getByLabel('Passwort', { exact: true }).fill('kurz')
  await page.getByLabel('Passwort bestätigen').fill('anders')
  const submit = page.getByRole('button', { name: 'Konto erstellen' })
  await submit.click()
  await page.getByText('Muss eine E-Mail-Adresse sein').waitFor()
  await page.getByText('Muss mindestens 8 Zeichen haben').waitFor()
  await page.getByLabel('E-Mail').fill(ada.user.email)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await submit.click()
  await page.getByText('Stimmt nicht mit dem Passwort überein').waitFor()
  await page.getByLabel('Passwort bestätigen').fill(password)
  await submit.click()
  await page.getByText('Ein Konto mit dieser E-Mail-Adresse existiert bereits.').waitFor()

  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(ada.user.email)
  await page.getByLabel('Passwort', { exact: true }).fill('falsch')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('E-Mail-Adresse oder Passwort ist falsch.').waitFor()
  await page.route('**/api/auth/login', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('Das Panel antwortet nicht.').waitFor()
  expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

test('server messages with codes are in German; those without stay English and are marked', async () => {
  const { db } = pages.panel.deps
  const subject = { type: 'check', id: 'shop', name: 'shop' } as const
  const notified = { userId: ada.user.id, kind: 'site-down', subject } as const
  await db.transaction(async (trx) => {
    const values = { url: 'https://shop.example.com/', status: 502 }
    await notify(pages.panel.deps, trx, {
      ...notified,
      text: [{ code: 'DOWN_STATUS', values }, { code: 'SEE_CONTAINER_LOG' }]
    })
    await notify(pages.panel.deps, trx, { ...notified, text: 'In words of another program' })
  })
  const { page, complaints } = await pages.open(ada)
  page.setDefaultTimeout(6_000)
  await page.goto('/account/notifications')
  await page
    .getByText(
      'https://shop.example.com/ ist ausgefallen: Antwort mit Statuscode 502. Prüfen Sie das Container-Log oder stellen Sie das Projekt erneut bereit.',
      { exact: true }
    )
    .waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual(['In words of another program'])

  const project = await ada.createProject({ gitUrl: 'https://github.com/acme/shop' })
  const failure = {
    phase: 'START',
    reason: 'The container did not become ready: it exited with code 3',
    sentences: [{ code: 'EXITED', values: { exitCode: 3 } }],
    exitCode: 3,
    line: null
  } as const
  const row = { projectId: project.id, userId: ada.user.id, trigger: 'MANUAL', status: 'FAILED' } as const
  const [message, older] = [newId(), newId()]
  const before = { phase: 'BUILD', reason: 'Written before there were codes', exitCode: 1, line: null } as const
  await db.insert(deployments).values([
    { ...row, id: message, failure: { ...failure, sentences: [...failure.sentences] } },
    { ...row, id: older, failure: before }
  ])
  await page.goto(`/projects/${project.id}/deployments?d=${message}`)
  await page.getByText('Der Container wurde nicht bereit: Er endete mit Exit-Code 3').waitFor()
  await page.goto(`/projects/${project.id}/deployments?d=${older}`)
  await page.locator('[lang=en]', { hasText: 'Written before there were codes' }).waitFor()

  const { id } = await addManagedDomain(ada, 'post.example.com')
  await newMailbox(ada, id)
  const records = (await ada.request('GET', `/api/domains/${id}/dns`)).json<{ id: string; name: string }[]>()
  const dmarc = records.find(({ name }) => name.startsWith('_dmarc'))!
  await ada.request('DELETE', `/api/domains/${id}/dns/${dmarc.id}`)
  await page.goto(`/domains/${id}/mail`)
  await page.getByText('Kein TXT-Eintrag von _dmarc.post.example.com beginnt mit v=DMARC1').waitFor()
  await page.getByText('default._domainkey.post.example.com enthält den aktiven DKIM-Schlüssel').waitFor()
  expect(complaints).toEqual([])
})

test('domain states and remedies are in German', async () => {
  const dns = publicDnsOf(pages.panel)
  const { id, verificationInstructions } = await addDomain(ada, 'beweis.example.com')
  const { recordName, recordValue } = verificationInstructions!
  dns.set(recordName, 'TXT', ['v=spf1 -all'])
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/domains/${id}`)
  await page
    .getByText(`Der TXT-Eintrag ${recordName} enthält „v=spf1 -all“ statt „${recordValue}“: Fügen Sie`)
    .waitFor()

  const second = await addVerifiedDomain(ada, 'delegiert.example.com')
  dns.set('delegiert.example.com', 'NS', ['ns1.alt.example', 'ns2.alt.example', 'ns3.alt.example'])
  await page.goto(`/domains/${second.id}/dns`)
  await page.getByRole('button', { name: 'Delegation prüfen' }).click()
  await page
    .getByText(
      'Die Domain ist an ns1.alt.example, ns2.alt.example und ns3.alt.example delegiert. Fügen Sie ns1.host.example und ns2.host.example bei ' +
        'Ihrem Registrar hinzu und entfernen Sie ns1.alt.example, ns2.alt.example und ns3.alt.example, bei einer Subdomain in der übergeordneten Zone.'
    )
    .waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([])

  const answer = 'No valid IP addresses found'
  const errorSentences = [{ code: 'AUTHORITY_REFUSED' as const, values: { answer } }]
  const facts = { domainId: second.id, commonName: 'delegiert.example.com', status: 'ERROR' as const, errorSentences }
  const errorMessage = `The certificate authority rejected the order: ${answer}`
  await pages.panel.deps.db.insert(certificates).values({ ...facts, id: newId(), errorMessage })
  await page.goto(`/domains/${second.id}/certificate`)
  await page.getByText(`Die Zertifizierungsstelle hat die Anforderung abgelehnt: „${answer}“`).waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([answer])
  await page.goto('/')
  await page.getByText(`Die Zertifizierungsstelle hat die Anforderung abgelehnt: „${answer}“`).waitFor()
  expect(complaints).toEqual([])
})

test('server-side field errors are in German at their field', async () => {
  const { page } = await pages.open(ada)
  await page.goto('/account/profile')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Darf nicht leer sein').waitFor()
  const details = [{ path: 'name', message: 'must have at most 5 characters', code: 'TOO_LONG', values: { count: 5 } }]
  await page.route(`**/api/users/${ada.user.id}`, (route) =>
    route.fulfill({ status: 400, json: { error: 'Some values are not valid', code: 'VALIDATION_ERROR', details } })
  )
  await name.fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Darf höchstens 5 Zeichen haben').waitFor()
})

test('settings are described in German, including why one is read-only', async () => {
  const answer = await ada.request('GET', '/api/system/settings')
  const names = answer.json<{ variables: { name: string }[] }>().variables.map(({ name }) => name)
  expect(Object.keys(german).sort()).toEqual(names.sort())
  const { page } = await pages.open(ada)
  await page.goto('/server/settings?q=LOG_LEVEL')
  await page.getByText('Niedrigste Stufe, die protokolliert wird').waitFor()
  await page.goto('/server/settings?show=all&q=Datenverzeichnis')
  await page.getByText('Schreibgeschützt: erfordert einen Neustart, weil dort Dateien und Programme liegen').waitFor()
  await page.getByText('Container-Engine').or(page.getByText('Nameserver')).first().waitFor()
})

test('invalid lines of a pasted file are reported in German', async () => {
  const { id } = await ada.createProject()
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/projects/${id}/variables`)
  const form = page.getByRole('form', { name: '.env-Datei einfügen' })
  await form.getByLabel('Dateiinhalt').fill('A=1\nkeine Zeile\nB="offen\n')
  await form.getByRole('button', { name: 'Änderungen anzeigen' }).click()
  await form.getByText('hat nicht die Form NAME=Wert').waitFor()
  await form.getByText('enthält ein nicht geschlossenes Anführungszeichen').waitFor()
  expect(complaints).toEqual([])
})

test('repository detection is in German, also before the first fetch', async () => {
  const gitUrl = 'https://github.com/acme/seite'
  const { id } = await ada.createProject({ gitUrl })
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/projects/${id}`)
  const found = page.getByRole('region', { name: 'Erkannte Konfiguration' })
  await found.getByText('Das Repository wurde noch nicht abgerufen.').waitFor()
  expect([await found.getByRole('alert').count(), await found.getByText('Framework').count()]).toEqual([0, 0])

  expect((await ada.request('POST', `/api/projects/${id}/git/connect`, { gitUrl })).statusCode).toBe(200)
  await page.reload()
  await found.getByText('package.json verlangt Node.js 18').waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([])
  expect(complaints).toEqual([])
})

test('repository errors are in German: before a project, in a project and in a deployment', async () => {
  const { page, complaints } = await pages.open(ada)
  await page.goto('/projects/new')
  const unavailable = 'Das Repository ist nicht erreichbar: Der Git-Server ist nicht erreichbar.'
  for (const [url, sentence] of [
    ['https://git.example.invalid/a/b', unavailable],
    ['https://github.com/acme/strange', 'Git konnte das Repository nicht abrufen: „fatal: odd“.']
  ] as const) {
    await page.getByLabel('Repository-URL').fill(url)
    await page.getByRole('button', { name: 'Repository prüfen' }).click()
    await page.getByText(sentence).waitFor()
  }
  const { id } = await ada.createProject()
  await ada.request('POST', `/api/projects/${id}/git/ssh-key`)
  await page.goto(`/projects/new?url=${encodeURIComponent('git@github.com:acme/geheim')}&project=${id}`)
  await page.getByRole('button', { name: 'Dieses Repository prüfen' }).click()
  await page.getByText('Der Git-Server hat den SSH-Schlüssel abgelehnt: Fügen Sie dem Repository').waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([])

  await page.goto(`/projects/${id}/settings`)
  const form = page.getByRole('form', { name: 'Repository' })
  await form.getByLabel('Repository-URL').fill('https://git.example.invalid/a/b')
  await form.getByRole('button', { name: 'Verbinden' }).click()
  await form.getByText(unavailable).waitFor()

  const problem = 'fatal: odd'
  const row = { projectId: id, userId: ada.user.id, trigger: 'MANUAL', status: 'FAILED' } as const
  const deploymentId = newId()
  const sentences = [{ code: 'GIT_FAILED' as const, values: { problem } }]
  const reason = `Git could not fetch the repository: ${problem}.`
  const failure = { phase: 'SOURCE' as const, reason, sentences, exitCode: null, line: null }
  await pages.panel.deps.db.insert(deployments).values({ ...row, id: deploymentId, failure })
  await page.goto(`/projects/${id}/deployments?d=${deploymentId}`)
  await page.getByText('Git konnte das Repository nicht abrufen').waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([problem])
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
})

test('delivery test results are in German; foreign replies are quoted', async () => {
  const domain = await addManagedDomain(ada, 'zustellung.example.com')
  const { id } = await newMailbox(ada, domain.id)
  const answer = '450 4.7.1 try again in five minutes'
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/mail/${id}`)
  await page.route('**/api/mail/delivery-tests/*', async (route) => {
    const sent = route.request().url().split('/').at(-1)!
    const facts = { status: 'DEFERRED', relay: 'mx.example.org[198.51.100.9]:25', reply: answer } as const
    await pages.panel.deps.db.update(deliveryTests).set(facts).where(eq(deliveryTests.id, sent))
    await route.continue()
  })
  const region = page.getByRole('region', { name: 'Zustelltest' })
  await region.getByRole('button', { name: 'Testnachricht senden' }).click()
  await region.getByText(/^Von unserem Mailserver als .* angenommen/).waitFor()
  await region
    .getByText(`Wird erneut versucht. mx.example.org[198.51.100.9]:25: „${answer}“`, { exact: true })
    .waitFor()
  await region
    .getByText('Nur delivery-test@mail.<Domain eines Panels> meldet zurück, was empfangen wurde')
    .first()
    .waitFor()
  expect(await region.locator('[lang=en]').allInnerTexts()).toEqual([answer])
  expect(complaints).toEqual([])
})

test('remedies for components that are down are in German', async () => {
  const { id } = await addManagedDomain(ada, 'ohne-nameserver.example.com')
  const server = pages.panel.deps.dnsServer
  const { ping } = server
  server.ping = () => Promise.reject(new Error('no answer'))
  const { page, complaints } = await pages.open(ada)
  page.setDefaultTimeout(15_000)
  try {
    const remedy = 'Starten Sie das Panel auf dem Server neu, um das Programm zu starten; Details stehen im Server-Log'
    const partsOf = async () => (await ada.request('GET', '/api/health')).json<Health>().parts
    await expect.poll(async () => (await partsOf()).nameServer?.status, { timeout: 10_000 }).toBe('unreachable')
    for (const path of ['/', `/domains/${id}/dns`, '/server/settings']) {
      await page.goto(path)
      await page.getByText(remedy).first().waitFor()
      expect(await page.locator('[lang=en]', { hasText: 'Restart the panel' }).count(), path).toBe(0)
    }
    expect(complaints).toEqual([])
  } finally {
    server.ping = ping
  }
})

test('import errors and notes are in German; old imports stay English', async () => {
  const { id } = await ada.createProject({ type: 'WORDPRESS' })
  const { db } = pages.panel.deps
  const values = { projectId: id, userId: ada.user.id } as const
  const answer = 'ERROR 1146 (42S02) at line 12'
  const errorSentences = [{ code: 'DUMP_REFUSED' as const, values: { answer } }]
  const failed = { status: 'FAILED', step: 'LOADING', errorCode: 'WORDPRESS_IMPORT_FAILED', errorSentences } as const
  const errorMessage = `The database server rejected the dump: ${answer}`
  await db.insert(wordpressImports).values({ ...values, ...failed, errorSentences, id: newId(), errorMessage })
  const project = (await findProject(db, id))!
  await db.transaction((trx) => notifyImport(pages.panel.deps, trx, project, 'import-failed', errorSentences))
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/projects/${id}/wordpress`)
  const why = `Der Datenbankserver hat den Dump abgelehnt: „${answer}“`
  await page
    .getByText(`Der Import ist bei „Datenbank laden“ fehlgeschlagen. ${why}. Ihre Website ist unverändert.`)
    .waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([answer])
  await page.goto('/account/notifications')
  await page.getByText(why).waitFor()

  const notes = ['Not imported: a trigger (3 of them)', 'Not imported: a view']
  const noteSentences = [{ code: 'TRIGGERS' as const, values: { count: 3 } }, { code: 'VIEW' as const }]
  const done = { ...values, status: 'SUCCEEDED', step: 'DONE', notes } as const
  await db.insert(wordpressImports).values({ ...done, notes, noteSentences, id: newId() })
  await page.goto(`/projects/${id}/wordpress`)
  const left = page.getByRole('list', { name: 'Nicht importiert' }).getByRole('listitem')
  await expect.poll(() => left.allInnerTexts()).toEqual(['Nicht importiert: 3 Trigger', 'Nicht importiert: eine View'])
  await db.insert(wordpressImports).values({ ...done, notes, id: newId() })
  await page.reload()
  await expect.poll(() => left.locator('[lang=en]').allInnerTexts()).toEqual(notes)
  expect(complaints).toEqual([])
})

test('skipped zone file lines are in German; value errors stay English', async () => {
  const { id, hostname } = await addManagedDomain(ada, 'zonendatei.example.com')
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Importieren' }).click()
  const dialog = page.getByRole('dialog')
  const lines = ['www 300 IN A 192.0.2.1', 'x 300 IN A', '@ 300 IN NS ns.alt.example.', 'y 300 IN A nirgends']
  await dialog.getByRole('textbox').fill(lines.join('\n'))
  await dialog.getByRole('button', { name: 'Änderungen anzeigen' }).click()
  for (const text of [
    `www.${hostname} hat einen CNAME, der der einzige Eintrag seines Namens sein muss`,
    'Der A-Eintrag hat keinen Wert',
    'Die Nameserver der Zone selbst können nicht geändert werden'
  ])
    await dialog.getByText(text).waitFor()
  expect(await dialog.locator('[lang=en]').allInnerTexts()).toEqual([
    'value must be an IPv4 address such as 192.0.2.1, without leading zeroes'
  ])
  expect(complaints).toEqual([])
})

test('record errors are in German at their field', async () => {
  const { id } = await addManagedDomain(ada, 'eintraege.example.com')
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/domains/${id}/dns`)
  const form = page
    .getByRole('form')
    .filter({ has: page.getByLabel('Wert') })
    .first()
  await form.getByLabel('Name').fill('www')
  await form.getByLabel('Wert').fill('192.0.2.01')
  await form.getByRole('button', { name: 'Hinzufügen' }).click()
  await form.getByText('Muss eine IPv4-Adresse ohne führende Nullen sein, etwa 192.0.2.1').waitFor()
  await form.getByLabel('Name').fill('a.example.org.')
  await form.getByLabel('Wert').fill('192.0.2.1')
  await form.getByRole('button', { name: 'Hinzufügen' }).click()
  await form.getByText('Muss eintraege.example.com sein oder darunter liegen').waitFor()
  expect(await form.locator('[lang=en]').count()).toBe(0)
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})
