import { describeMailQueue } from '../../../test/contracts/mail-queue.contract.ts'
import { describeMailServer } from '../../../test/contracts/mail-server.contract.ts'
import { describeMailSigner } from '../../../test/contracts/mail-signer.contract.ts'
import { createMemoryMailQueue } from '../../../test/fakes/memory-mail-queue.ts'
import { createMemoryMailServer } from '../../../test/fakes/memory-mail-server.ts'
import { createMemoryMailSigner } from '../../../test/fakes/memory-mail-signer.ts'

const close = async () => {}

describeMailServer('memory', async () => {
  const server = createMemoryMailServer()
  return {
    server,
    deliver: async (address) => server.receive(address, 'Subject: hello\r\n\r\nhello'),
    count: async (address) => server.mail.get(address)?.length ?? 0,
    close
  }
})

describeMailQueue('memory', async () => {
  const queue = createMemoryMailQueue()
  let next = 1
  return {
    queue,
    async enqueue(sender) {
      const id = `4jWdh75MSBzLxK${next}`
      queue.messages.set(id, {
        id,
        queue: 'deferred',
        arrivedAt: new Date(1_795_000_000_000 + 1000 * next++),
        bytes: 480,
        sender,
        recipients: [{ address: 'x@sink.test', reason: 'connect to sink.test: Connection refused' }],
        recipientCount: 1
      })
    },
    close
  }
})

describeMailSigner('memory', async () => ({ signer: createMemoryMailSigner(), close }))
