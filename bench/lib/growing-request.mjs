/**
 * A request body in which each message is serialised once: `head | message, message, ... | tail`. The tail is written
 * again behind every new message.
 */
export function growingRequest(tools) {
  const tail = Buffer.from(`],"tools":${JSON.stringify(tools)}}`);
  let buffer = Buffer.allocUnsafe(1 << 16);
  let length = buffer.write('{"model":"bench-1","stream":true,"messages":[');
  let separator = '';
  return {
    push(message) {
      const text = separator + JSON.stringify(message);
      separator = ',';
      const needed = length + Buffer.byteLength(text) + tail.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(needed * 2);
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += buffer.write(text, length);
    },
    bytes() {
      tail.copy(buffer, length);
      return buffer.subarray(0, length + tail.length);
    },
  };
}
