import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { webPlaces } from './web-files.ts'
import { webUnit } from './web-unit.ts'

const options = {
  dataDirectory: '/srv/my "data"',
  user: { uid: 990, gid: 990 },
  places: [
    { directory: '/opt/a b:c', at: webPlaces.code },
    { directory: '/srv/spool', at: webPlaces.spool }
  ],
  argv: ['/usr/bin/node', 'web-main.js'] as const
}

test('writes only to its own places, and quotes paths', () => {
  const { properties } = webUnit(options)
  expect(properties).toContain(`BindReadOnlyPaths="/opt/a b:c":${webPlaces.code}`)
  expect(properties).toContain(`BindPaths="/srv/spool":${webPlaces.spool}`)
})

test('may bind low ports only where it has to', () => {
  const low = webUnit({ ...options, user: { ...options.user, isBindingLowPorts: true } })
  expect(low.properties).toContain('CapabilityBoundingSet=CAP_NET_BIND_SERVICE')
  expect(webUnit(options).properties).toContain('CapabilityBoundingSet=')
})

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd rates its exposure at 4.0 at most', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'panel-web-unit-'))
  try {
    const { name, properties, argv } = webUnit(options)
    const path = join(directory, name)
    await writeFile(path, `[Service]\n${properties.join('\n')}\nExecStart=${argv.join(' ')}\n`)
    // Fails above the threshold, which is in tenths.
    const analyze = ['security', '--offline=yes', '--no-pager', '--threshold=40', path]
    const { stdout } = await promisify(execFile)('systemd-analyze', analyze)
    expect(stdout).toContain('Overall exposure level')
  } finally {
    await rm(directory, { recursive: true })
  }
})
