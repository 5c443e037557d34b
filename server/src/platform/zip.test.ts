/** Archives created by Python's zipfile, an independent implementation. */
import { expect, test } from 'vitest'
import { unzipFirst } from './zip.ts'

const content = '"CampaignId","Spend"\r\n"1","12.34"\r\n'.repeat(6)
const deflated = Buffer.from(
  'UEsDBBQAAAAIAAAAYlzG3jp6JQAAANIAAAASAAAAMzAwMDAwMDAwMDAwMDEuY3N2U3JOzC1IzEzP80xR0lEKLkjNS1Hi5VIyBHIMjfSMTUCcoaUEAFBLAQIUAxQAAAAIAAAAYlzG3jp6JQAAANIAAAASAAAAAAAAAAAAAACAAQAAAAAzMDAwMDAwMDAwMDAwMS5jc3ZQSwUGAAAAAAEAAQBAAAAAVQAAAAAA',
  'base64',
)
const storedWithComment = Buffer.from(
  'UEsDBBQAAAAAAAAAYlzG3jp60gAAANIAAAASAAAAMzAwMDAwMDAwMDAwMDEuY3N2IkNhbXBhaWduSWQiLCJTcGVuZCINCiIxIiwiMTIuMzQiDQoiQ2FtcGFpZ25JZCIsIlNwZW5kIg0KIjEiLCIxMi4zNCINCiJDYW1wYWlnbklkIiwiU3BlbmQiDQoiMSIsIjEyLjM0Ig0KIkNhbXBhaWduSWQiLCJTcGVuZCINCiIxIiwiMTIuMzQiDQoiQ2FtcGFpZ25JZCIsIlNwZW5kIg0KIjEiLCIxMi4zNCINCiJDYW1wYWlnbklkIiwiU3BlbmQiDQoiMSIsIjEyLjM0Ig0KUEsBAhQDFAAAAAAAAABiXMbeOnrSAAAA0gAAABIAAAAAAAAAAAAAAIABAAAAADMwMDAwMDAwMDAwMDAxLmNzdlBLBQYAAAAAAQABAEAAAAACAQAACQBhIGNvbW1lbnQ=',
  'base64',
)

test.each([
  ['deflated', deflated],
  ['stored, with a comment behind', storedWithComment],
])('reads a file that is %s', (_, archive) => {
  expect(Buffer.from(unzipFirst(archive, 1000)!).toString()).toBe(content)
})

test('rejects files larger than allowed, even if the archive declares a smaller size', () => {
  expect(unzipFirst(deflated, content.length - 1)).toBeUndefined()
  const lying = Buffer.from(deflated)
  lying.writeUInt32LE(10, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
  expect(unzipFirst(lying, 100)).toBeUndefined()
})

test('truncated or corrupted archives do not throw', () => {
  for (let length = 0; length < deflated.length; length++)
    expect(unzipFirst(deflated.subarray(0, length), 1000), String(length)).toBeUndefined()
  for (let at = 0; at < deflated.length; at++) {
    const changed = Buffer.from(deflated)
    changed[at] = changed[at]! ^ 0xff
    expect(() => unzipFirst(changed, 1000), String(at)).not.toThrow()
  }
})
