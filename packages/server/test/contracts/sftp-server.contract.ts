import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SftpServer } from '../../src/infra/sftp-server/sftp-server.ts'

interface SftpServerEnvironment {
  server: SftpServer
  unavailable: SftpServer
  close(): Promise<void>
}

/** Contract of every SftpServer. */
export function describeSftpServer(name: string, open: () => Promise<SftpServerEnvironment>): void {
  describe(`SFTP server: ${name}`, () => {
    let sftp: SftpServerEnvironment
    beforeAll(async () => {
      sftp = await open()
    })
    afterAll(() => sftp?.close())

    test('greets with its version', async () => {
      expect(await sftp.server.ping()).toMatch(/^OpenSSH_\d/)
    })

    test('returns stable host key fingerprints', async () => {
      const keys = await sftp.server.hostKeys()
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) expect(key).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
      expect(await sftp.server.hostKeys()).toEqual(keys)
    })

    test('one that is down is a named error', async () => {
      await expect(sftp.unavailable.ping()).rejects.toMatchObject({ kind: 'sftp-unavailable' })
      await expect(sftp.unavailable.hostKeys()).rejects.toMatchObject({ kind: 'sftp-unavailable' })
    })
  })
}
