/** The server that docs/try.md tries. */
import fastify from 'fastify'

const app = fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ port: 3000 })
