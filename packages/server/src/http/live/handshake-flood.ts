const maxOfConnection = 10

interface Connection {
  on(event: 'data', listener: (data: unknown) => void): void
  close(discard: true): void
}

/**
 * Closes connections that keep asking to join namespaces. Socket.IO answers each, and for a client that does not read,
 * the answers pile up in memory.
 */
export function limitHandshakes(connection: Connection): void {
  let requested = 0
  connection.on('data', (data) => {
    if (typeof data === 'string' && data.startsWith('0') && ++requested > maxOfConnection) connection.close(true)
  })
}
