import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPanelLog, panelLogPath } from './panel-log.ts'

test('a reader of standard output that goes away costs one line there, and none in the file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'panel-log-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  let writes = 0
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      writes++
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }))
    },
    autoDestroy: false
  })
  const log = openPanelLog({ DATA_DIR: directory }, {}, stdout)
  for (const line of ['one\n', 'two\n', 'three\n']) {
    log.write(line)
    await nextTurn()
  }
  log.close()
  expect(writes).toBe(1)
  expect(await readFile(panelLogPath({ DATA_DIR: directory }), 'utf8')).toBe('one\ntwo\nthree\n')
})
