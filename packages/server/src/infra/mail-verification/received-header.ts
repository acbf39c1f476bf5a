export interface Received {
  clientIp: string | undefined
  helo: string | undefined
  tls: string | undefined
}

/** Clients choose the HELO name in the first line, so the pattern is anchored at the end of the line. */
export function parseReceived(message: Buffer): Received {
  const head = message.subarray(0, 4_096).toString('latin1').replace(/\r\n/g, '\n')
  const lines = head.split('\n')
  const first = /^Received: from (\S+) \(.*\[(?:IPv6:)?([0-9a-fA-F.:]{2,45})\]\)$/.exec(lines[0] ?? '')
  const tls = /^\t\(using (TLSv[\d.]+) with cipher (\S+) /.exec(lines[1] ?? '')
  return { helo: first?.[1], clientIp: first?.[2], tls: tls ? `${tls[1]} ${tls[2]}` : undefined }
}
