// The least that node:http can do: `node hello.ts PORT`.
import { createServer } from 'node:http'

const BODY = '{"status":"ok"}'

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length })
  response.end(BODY)
}).listen(Number(process.argv[2]), '127.0.0.1')
