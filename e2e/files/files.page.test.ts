import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { filesOf } from '../../packages/server/test/support/files.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

/** Narrow enough to hide the folder tree, which would list each folder twice. */
const narrow = { width: 1180, height: 800 }

const openFiles = async (query = '', viewport = narrow) => {
  const files = await filesOf(pages.panel, ann)
  const opened = await pages.open(ann, viewport)
  return { ...opened, files, go: () => opened.page.goto(`/projects/${files.project.id}/files${query}`) }
}
const actions = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const editorOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

async function folderOf60(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-upload-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (let index = 0; index < 60; index++) {
    const path = join(directory, 'site', `dir-${index % 6}`, `file-${index}.txt`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `text ${index}\n`.repeat(500))
  }
  return join(directory, 'site')
}

test('a folder of 60 files is uploaded, interrupted and resumed', async () => {
  const { page, complaints, files, go } = await openFiles()
  await go()
  await page.getByText('This folder is empty').waitFor()
  let sent = 0
  await page.route('**/upload', (route) =>
    ++sent > 20 && sent <= 45 ? route.abort('connectionreset') : route.continue()
  )
  await page.getByLabel('Folder to upload').setInputFiles(await folderOf60())
  await page.getByText('35 of 60 files uploaded').waitFor()
  await page.getByText('and 20 more').waitFor()
  await page.getByRole('button', { name: 'Retry 25 failed files' }).click()
  await page.getByText('60 of 60 files uploaded').waitFor()
  expect(sent).toBe(85)
  expect((await files.all()).filter((path) => !path.endsWith('/'))).toHaveLength(60)
  expect(await readFile(join(files.root, 'site/dir-1/file-7.txt'), 'utf8')).toBe('text 7\n'.repeat(500))
  await page.getByRole('link', { name: 'site', exact: true }).click()
  await page.getByRole('link', { name: 'dir-1' }).click()
  await page.getByRole('link', { name: 'file-7.txt' }).waitFor()
  await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: 'site' }).click()
  await page.getByRole('link', { name: 'dir-5' }).waitFor()
  expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_RESET'))).toEqual([])
})

test('a waiting upload is cancelled immediately', async () => {
  const { page, files, go } = await openFiles()
  await go()
  let sent = 0
  const refusal = { error: 'Too many at once', code: 'RATE_LIMITED' }
  await page.route('**/upload', (route) => {
    sent++
    return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: refusal })
  })
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect.poll(() => sent).toBe(1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('0 of 1 file uploaded').waitFor()
  await page.getByText('a.txt: You cancelled the upload.').waitFor()
  expect(sent).toBe(1)
  await page.unroute('**/upload')
  await page.getByRole('button', { name: 'Retry the failed file' }).click()
  await page.getByText('1 of 1 file uploaded').waitFor()
  expect(await files.text('a.txt')).toBe('a')
})

test('a wide window shows the folder tree', async () => {
  const { page, complaints, files, go } = await openFiles('?path=site/pages', { width: 1280, height: 800 })
  for (const path of ['site/pages/deep/x.txt', 'site/styles/y.css', 'other/z.txt'])
    await ann.request('POST', `/api/files/${files.project.id}/create`, { path, content: path })
  await go()
  const tree = page.getByRole('navigation', { name: 'Folders' })
  const names = async () => (await tree.getByRole('link').allInnerTexts()).map((text) => text.trim())
  await expect.poll(names).toEqual(['Project', 'other', 'site', 'pages', 'deep', 'styles'])
  expect(await tree.locator('[aria-current=page]').innerText()).toBe('pages')
  expect(await accessibilityProblems(page)).toEqual([])
  await tree.getByRole('button', { name: 'Collapse site' }).click()
  await expect.poll(names).toEqual(['Project', 'other', 'site'])
  await tree.getByRole('link', { name: 'other' }).click()
  await page.getByRole('link', { name: 'z.txt' }).waitFor()
  await tree.getByRole('button', { name: 'Expand site' }).press('Enter')
  await expect.poll(names).toEqual(['Project', 'other', 'site', 'pages', 'deep', 'styles'])
  await page.setViewportSize(narrow)
  await expect.poll(() => tree.count()).toBe(0)
  expect(complaints).toEqual([])
})

/** Scripts cannot create a DataTransfer with folders, but they can create its entries. */
const drop = `(() => {
  const file = (name) => ({ isFile: true, name, file: (resolve) => resolve(new File(['of ' + name], name)) })
  const folder = (name, all) => ({ isFile: false, name, createReader: () => ({ readEntries: (resolve) => resolve(all.splice(0, 100)) }) })
  const many = Array.from({ length: 130 }, (_, index) => file('n-' + index))
  const items = [file('alone.txt'), folder('many', many), folder('bare', [])].map((entry) => ({ webkitGetAsEntry: () => entry }))
  const event = new DragEvent('drop', { bubbles: true, cancelable: true })
  Object.defineProperty(event, 'dataTransfer', { value: { items } })
  document.querySelector('section[aria-label=Files] table, section[aria-label=Files] p').dispatchEvent(event)
})()`

test('dropped folders include more than 100 files and empty ones', async () => {
  const { page, complaints, files, go } = await openFiles()
  await go()
  await page.getByText('This folder is empty').waitFor()
  await page.evaluate(drop)
  await page.getByText('132 of 132 files uploaded').waitFor()
  const there = await files.all()
  expect(there.filter((path) => path.startsWith('many/n-'))).toHaveLength(130)
  expect(there).toContain('bare/')
  expect(await files.text('alone.txt')).toBe('of alone.txt')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByText('132 of 132').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('search covers subfolders and is kept in the URL', async () => {
  const { page, complaints, files, go } = await openFiles('?path=site', { width: 360, height: 740 })
  for (const path of [
    'site/config.json',
    'site/deep/config.old.json',
    'site/deep/other.txt',
    'config.json',
    'site/configs/x'
  ])
    await ann.request('POST', `/api/files/${files.project.id}/create`, { path, content: '{}' })
  await go()
  await page.getByLabel('Search this folder').fill('CONFIG')
  const found = page.locator('tbody tr')
  await expect
    .poll(async () =>
      (await found.getByRole('link').allInnerTexts()).map((text) => text.replaceAll(/\s/g, '')).toSorted()
    )
    .toEqual(['site/config.json', 'site/configs', 'site/deep/config.old.json'])
  expect(new URL(page.url()).searchParams.get('q')).toBe('CONFIG')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.reload()
  await found.getByRole('link', { name: 'site/deep/config.old.json' }).click()
  await editorOf(page, 'config.old.json').waitFor()
  await page.goBack()
  await found.getByRole('link', { name: 'site/configs' }).click()
  await page.getByRole('link', { name: 'x', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe(null)
  await page.goto(`/projects/${files.project.id}/files?q=nothing-of-this`)
  await page.getByText('No file or folder name in this folder').waitFor()
  expect(complaints).toEqual([])
})

test('files are created, renamed, moved, copied, chmodded and deleted', async () => {
  const { page, complaints, files, go } = await openFiles()
  await go()
  const dialog = page.getByRole('dialog')
  const answer = async (label: string, text: string, button: string) => {
    await dialog.getByLabel(label, { exact: true }).fill(text)
    await dialog.getByRole('button', { name: button, exact: true }).click()
  }
  await page.getByRole('button', { name: 'New folder' }).click()
  await answer('Name', 'docs', 'Create')
  await expect.poll(() => files.all()).toEqual(['docs/'])
  await page.getByRole('button', { name: 'New folder' }).click()
  await answer('Name', 'docs', 'Create')
  await dialog.getByText('An entry with this name already exists').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New file' }).click()
  await answer('Name', 'a.txt', 'Create')
  await editorOf(page, 'a.txt').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  for (const action of ['Rename', 'Move']) {
    await actions(page, 'a.txt', action)
    await dialog.getByRole('textbox').press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Actions of a.txt')
  }
  await actions(page, 'a.txt', 'Rename')
  await answer('New name', 'b.txt', 'Rename')
  await expect.poll(() => files.all()).toEqual(['b.txt', 'docs/'])
  await actions(page, 'b.txt', 'Move')
  await answer('New path', 'docs/b.txt', 'Move')
  await expect.poll(() => files.all()).toEqual(['docs/', 'docs/b.txt'])
  await actions(page, 'docs', 'Copy')
  await answer('New path', 'copy', 'Copy')
  await page.getByRole('link', { name: 'copy' }).click()
  await actions(page, 'b.txt', 'Change permissions')
  await answer('Permissions', '999', 'Change permissions')
  await expect.poll(() => dialog.locator('[aria-invalid=true]').count()).toBe(1)
  await dialog.getByRole('button', { name: '600' }).click()
  await dialog.getByRole('button', { name: 'Change permissions' }).click()
  await page.getByRole('cell', { name: '600' }).waitFor()
  await actions(page, 'b.txt', 'Delete')
  await page.getByRole('button', { name: 'Undo' }).click()
  await actions(page, 'b.txt', 'Delete')
  await expect.poll(() => files.all()).toEqual(['copy/', 'docs/', 'docs/b.txt'])
  await page.getByRole('link', { name: 'Project', exact: true }).click()
  await actions(page, 'docs', 'Delete')
  expect(await dialog.getByRole('button', { name: 'Delete folder' }).isDisabled()).toBe(true)
  await answer('Type docs to confirm', 'docs', 'Delete folder')
  await expect.poll(() => files.all()).toEqual(['copy/'])
  expect(complaints).toEqual([])
})

test('a folder is downloaded as an archive, and an archive is extracted', async () => {
  const { page, complaints, files, go } = await openFiles()
  await files.put({ 'docs/a.txt': 'one', 'docs/b/c.txt': 'two' })
  await go()
  const coming = page.waitForEvent('download')
  await actions(page, 'docs', 'Download as .tar.gz')
  const download = await coming
  expect(download.suggestedFilename()).toBe('docs.tar.gz')
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'site.tar.gz', mimeType: '', buffer: await readFile(await download.path()) })
  await actions(page, 'site.tar.gz', 'Extract')
  await page.getByRole('dialog').getByRole('button', { name: 'Extract' }).click()
  await page.getByText(/2 files extracted/).waitFor()
  expect(await files.text('site/b/c.txt')).toBe('two')
  expect(complaints).toEqual([])
})

test('a save conflict shows both versions and lets the user choose', async () => {
  const { page, complaints, files, go } = await openFiles('?open=index.php')
  await files.put({ 'index.php': '<?php\necho "hello";\n' })
  await go()
  const editor = editorOf(page, 'index.php')
  const dialog = page.getByRole('dialog')
  const append = async (text: string) => {
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(text)
  }
  await expect.poll(() => page.locator('.cm-line span[class]').count()).toBeGreaterThan(0)
  await append('// mine')
  await page.keyboard.press('Control+s')
  await expect.poll(() => files.text('index.php')).toBe('<?php\necho "hello";\n// mine')
  await append(' too')
  await files.put({ 'index.php': '<?php // theirs' })
  await page.keyboard.press('Control+s')
  await dialog.getByText('<?php // theirs').waitFor()
  await dialog.getByRole('button', { name: 'Your version', exact: true }).click()
  await dialog.getByText('// mine too').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await files.text('index.php')).toBe('<?php // theirs')
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('<?php // theirs').waitFor()
  await files.put({ 'index.php': '<?php // theirs again' })
  await dialog.getByRole('button', { name: 'Save your version' }).click()
  await dialog.getByText('<?php // theirs again').waitFor()
  await dialog.getByRole('button', { name: 'Save your version' }).click()
  await expect.poll(() => files.text('index.php')).toBe('<?php\necho "hello";\n// mine too')
  await append('!')
  await files.put({ 'index.php': 'short' })
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Use current version' }).click()
  await expect.poll(() => editor.innerText()).toBe('short')
  expect(await files.text('index.php')).toBe('short')
  expect(complaints).toEqual([])
})

test('unsaved changes are not lost, and line endings are kept', async () => {
  const { page, complaints, files, go } = await openFiles('?open=notes.txt')
  await files.put({ 'notes.txt': 'one\r\ntwo\r\n' })
  await go()
  await editorOf(page, 'notes.txt').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('zero\n')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => files.text('notes.txt')).toBe('zero\r\none\r\ntwo\r\n')
  await editorOf(page, 'notes.txt').click()
  await page.keyboard.type('x')
  await page.getByRole('link', { name: 'Overview', exact: true }).last().click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => page.url()).not.toContain('/files')
  expect(await files.text('notes.txt')).toBe('zero\r\none\r\ntwo\r\n')
  expect(complaints).toEqual([])
})

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64') // oxfmt-ignore

test('images are shown by content, binaries are downloaded, secrets are read-only', async () => {
  const { page, complaints, files, go } = await openFiles()
  await files.put({ '.env': 'A=1', 'page.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' })
  await writeFile(join(files.root, 'photo.dat'), pixel)
  await writeFile(join(files.root, 'data.png'), Buffer.from([0xff, 0xfe, 0xfd]))
  await go()
  await page.getByRole('link', { name: 'photo.dat' }).click()
  const picture = page.getByRole('img', { name: 'photo.dat' })
  await expect.poll(() => picture.getAttribute('src')).toContain('blob:')
  await expect.poll(() => page.evaluate("document.querySelector('section img')?.naturalWidth")).toBe(1)
  await page.goBack()
  await page.getByRole('link', { name: 'data.png' }).click()
  await page.getByText('No preview available').waitFor()
  expect(await page.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('/download?path=data.png')
  await page.goBack()
  await page.getByRole('link', { name: 'page.svg' }).click()
  await editorOf(page, 'page.svg').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '.env' }).click()
  await page.getByText('This file contains secrets').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('file names are plain text', async () => {
  const { page, complaints, files, go } = await openFiles()
  const names = [
    '<img src=x onerror=alert(1)>',
    'a\u001b[31m\nb',
    'invoice\u202efdp.exe',
    '2026',
    'ä & ?#%.txt',
    'x'.repeat(250)
  ]
  await files.put(Object.fromEntries(names.map((name) => [name === '2026' ? '2026/in.txt' : name, 'text'])))
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await go()
  await page.getByRole('link', { name: '<img src=x' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(names.length + 1)
  await page.getByRole('link', { name: 'a␛[31m␊b' }).click()
  await editorOf(page, 'a␛[31m␊b').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'invoice\u{fffd}fdp.exe' }).waitFor()
  await page.getByRole('link', { name: '2026' }).click()
  await page.getByRole('link', { name: 'in.txt' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'in.txt' }).waitFor()
  await page.goBack()
  await actions(page, 'ä & ?#%.txt', 'Rename')
  await page.getByRole('dialog').getByLabel('New name').fill('"><b>.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect.poll(() => files.all()).toContain('"><b>.txt')
  expect(requested.filter((url) => new URL(url).pathname.endsWith('/x'))).toEqual([])
  expect(complaints).toEqual([])
})

test('of 3,000 entries only visible ones are rendered, and all are reachable', async () => {
  const { page, complaints, files, go } = await openFiles()
  await files.put(
    Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`file-${String(n).padStart(4, '0')}`, '']))
  )
  await go()
  await page.getByRole('link', { name: 'file-0000' }).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByRole('link', { name: 'file-2999' }).waitFor()
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('3001')
  expect(complaints).toEqual([])
})

test('unreachable files say so, and another account’s project is not found', async () => {
  const { page, files, go } = await openFiles('?path=none')
  await go()
  await page.getByText('Not found').waitFor()
  const bob = await pages.panel.signUp('bob')
  const stranger = await pages.open(bob)
  await stranger.page.goto(`/projects/${files.project.id}/files`)
  await stranger.page
    .getByText(/do not have access|Page not found/)
    .first()
    .waitFor()
})
