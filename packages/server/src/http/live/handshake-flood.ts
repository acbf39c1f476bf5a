/** What Socket.IO needs of a connection, with some more for a client that tries again. */
const maxOfConnection = 10

/** A connection of Engine.IO. */
interface Connection {
  on(event: 'data', listener: (data: unknown) => void): void
  close(discard: true): void
}

/**
 * Lets a connection go that asks again and again to be let in, here or into namespaces that there are none of: Socket.IO answers each by itself, and
 * who does not read its answers has them pile up in our memory.
 */
export function limitHandshakes(connection: Connection): void {
  let requested = 0
  connection.on('data', (data) => {
    if (typeof data === 'string' && data.startsWith('0') && ++requested > maxOfConnection) connection.close(true)
  })
}
