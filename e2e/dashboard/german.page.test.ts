import { afterAll, beforeAll, expect, test } from 'vitest'
import { german } from '../../packages/dashboard/src/features/settings/setting-about.de.ts'
import { certificates } from '../../packages/server/src/db/schema/certificates.ts'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { notify } from '../../packages/server/src/features/notifications/notify-access.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { addManagedDomain, addVerifiedDomain, publicDnsOf } from '../../packages/server/test/support/domains.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
beforeAll(async () => {
  pages = await startPages({ PUBLIC_IP: '203.0.113.1', DNS_NAMESERVERS: 'ns1.host.example,ns2.host.example' })
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

test('server messages with codes are in German; those without and foreign words stay English and are marked', async () => {
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
  await page.goto('/account/notifications')
  await page
    .getByText(
      'https://shop.example.com/ ist ausgefallen: Antwort mit Statuscode 502. Prüfen Sie das Container-Log oder stellen Sie das Projekt erneut bereit.',
      { exact: true }
    )
    .waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual(['In words of another program'])

  const project = await ada.createProject({ gitUrl: 'https://github.com/acme/shop' })
  const problem = 'fatal: odd'
  const failure = {
    phase: 'SOURCE',
    reason: `Git could not fetch the repository: ${problem}.`,
    sentences: [{ code: 'GIT_FAILED', values: { problem } }],
    exitCode: null,
    line: null
  } as const
  const deploymentId = newId()
  const row = { projectId: project.id, userId: ada.user.id, trigger: 'MANUAL', status: 'FAILED' } as const
  await db
    .insert(deployments)
    .values({ ...row, id: deploymentId, failure: { ...failure, sentences: [...failure.sentences] } })
  await page.goto(`/projects/${project.id}/deployments?d=${deploymentId}`)
  await page.getByText('Git konnte das Repository nicht abrufen').waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([problem])

  const { id } = await addVerifiedDomain(ada, 'delegiert.example.com')
  publicDnsOf(pages.panel).set('delegiert.example.com', 'NS', ['ns1.alt.example', 'ns2.alt.example'])
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Delegation prüfen' }).click()
  await page.getByText('Die Domain ist an ns1.alt.example und ns2.alt.example delegiert.').waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([])

  const answer = 'No valid IP addresses found'
  const errorSentences = [{ code: 'AUTHORITY_REFUSED' as const, values: { answer } }]
  const facts = { domainId: id, commonName: 'delegiert.example.com', status: 'ERROR' as const, errorSentences }
  const errorMessage = `The certificate authority rejected the order: ${answer}`
  await db.insert(certificates).values({ ...facts, id: newId(), errorMessage })
  await page.goto(`/domains/${id}/certificate`)
  await page.getByText(`Die Zertifizierungsstelle hat die Anforderung abgelehnt: „${answer}“`).waitFor()
  expect(await page.locator('[lang=en]').allInnerTexts()).toEqual([answer])
  expect(complaints).toEqual([])
})

test('errors of the server are in German at their field and in a preview', async () => {
  const { id, hostname } = await addManagedDomain(ada, 'zonendatei.example.com')
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
  expect(await form.locator('[lang=en]').count()).toBe(0)

  await page.getByRole('button', { name: 'Importieren' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(['www 300 IN A 192.0.2.1', 'x 300 IN A', 'y 300 IN A nirgends'].join('\n'))
  await dialog.getByRole('button', { name: 'Änderungen anzeigen' }).click()
  await dialog.getByText(`www.${hostname} hat einen CNAME, der der einzige Eintrag seines Namens sein muss`).waitFor()
  await dialog.getByText('Der A-Eintrag hat keinen Wert').waitFor()
  expect(await dialog.locator('[lang=en]').allInnerTexts()).toEqual([
    'value must be an IPv4 address such as 192.0.2.1, without leading zeroes'
  ])
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
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
