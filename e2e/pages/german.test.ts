import { afterAll, beforeAll, expect, test } from 'vitest'
import { german } from '../../packages/dashboard/src/features/settings/setting-about.de.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
beforeAll(async () => {
  pages = await startPages()
  ada = await pages.panel.signUp('ada')
  await ada.request('PATCH', '/api/users/me', { locale: 'de' })
})
afterAll(() => pages?.close())

test('what is wrong in a form is said in German: by its rules, by the server, and where it did not answer', async () => {
  const { page, context, complaints } = await pages.open()
  await context.addInitScript(`localStorage.setItem('locale', 'de')`)
  await page.goto('/register')
  await page.getByLabel('Name').fill('Bo')
  await page.getByLabel('E-Mail').fill('bo')
  await page.getByLabel('Passwort', { exact: true }).fill('kurz')
  await page.getByLabel('Passwort, noch einmal').fill('anders')
  const submit = page.getByRole('button', { name: 'Konto anlegen' })
  await submit.click()
  await page.getByText('Muss eine E-Mail-Adresse sein').waitFor()
  await page.getByText('Muss mindestens 8 Zeichen haben').waitFor()
  await page.getByLabel('E-Mail').fill(ada.user.email)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await submit.click()
  await page.getByText('Stimmt nicht mit dem Passwort überein').waitFor()
  await page.getByLabel('Passwort, noch einmal').fill(password)
  await submit.click()
  await page.getByText('Es gibt schon ein Konto mit dieser E-Mail-Adresse.').waitFor()

  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(ada.user.email)
  await page.getByLabel('Passwort', { exact: true }).fill('falsch')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor()
  await page.route('**/api/auth/login', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('Das Panel antwortet nicht.').waitFor()
  expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

test('what the server alone can know comes back to its field in German', async () => {
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

test('settings are described in German, each of them, also why one cannot be changed', async () => {
  const answer = await ada.request('GET', '/api/system/settings')
  const names = answer.json<{ variables: { name: string }[] }>().variables.map(({ name }) => name)
  expect(Object.keys(german).sort()).toEqual(names.sort())
  const { page } = await pages.open(ada)
  await page.goto('/server/settings?q=LOG_LEVEL')
  await page.getByText('Was protokolliert wird').waitFor()
  await page.goto('/server/settings?show=all&q=Hostname+des+Panels')
  await page
    .getByText('Nur lesbar: gilt erst nach einem Neustart, denn daraus entstehen Namen, Einträge und Links')
    .waitFor()
  await page.getByText('Container-Engine').or(page.getByText('Nameserver')).first().waitFor()
})
