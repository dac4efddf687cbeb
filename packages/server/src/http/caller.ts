import type { FastifyRequest } from 'fastify'
import { describeDevice, type Device } from './device.ts'

/** What is known of a stranger before they say who they are. */
export interface Caller {
  /** Of the client, as far as the proxies in front can be believed. */
  address: string
  /** What the program calls itself; empty when it does not say. */
  agent: string
  /** What a session of theirs is remembered by. */
  device: Device
}

export function readCaller(request: FastifyRequest): Caller {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '', device: describeDevice(request) }
}
