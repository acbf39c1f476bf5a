import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnvironment } from './settings.ts'

test('a variable of the environment goes before a line of PANEL_ENV_FILE', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'panel-settings-'))
  try {
    const PANEL_ENV_FILE = join(directory, 'panel.env')
    await writeFile(PANEL_ENV_FILE, '# Settings\nDATA_DIR=/srv/panel\nPORT=3100\nMAIL=\n')
    expect(await readEnvironment({ PANEL_ENV_FILE, PORT: '3200', MAIL: 'on' })).toMatchObject({
      DATA_DIR: '/srv/panel',
      PORT: '3200',
      MAIL: 'on'
    })
    expect(await readEnvironment({ PORT: '3200' })).toEqual({ PORT: '3200' })
  } finally {
    await rm(directory, { recursive: true })
  }
})
