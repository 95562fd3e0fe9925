// ZIP archives: writes the files of package.js, and reads them back for the tests. The same files give the same bytes.
'use strict';

const zlib = require('zlib');

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value >>> 0;
});

/** Node has this function from version 20.15 on. */
function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff];
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** 1980-01-01: the earliest date in ZIP. */
const DAY = 0x0021;
/** Names are UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;

/** Returns the bytes of an archive with these files, `[name, bytes]`. */
function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const packed = zlib.deflateRawSync(bytes, { level: 9 });
    const text = Buffer.from(name);
    // From the required version to the length of the extra field: both headers have this part.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DAY, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(text.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), common, text, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made by Unix, whose permissions are in `rest`.
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, rest, text);
    offset += 30 + text.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}

/** Returns the files of an archive that `zip` wrote, by name, checked. */
function unzip(archive) {
  const files = new Map();
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) {
    throw new Error('no end of a directory');
  }
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [crc, packed, size] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field));
    const length = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = zlib.inflateRawSync(archive.subarray(start, start + packed));
    if (bytes.length !== size || crc32(bytes) !== crc || archive.toString('utf8', local + 30, local + 30 + length) !== name) {
      throw new Error(`${name} is damaged`);
    }
    files.set(name, bytes);
    at += 46 + length;
  }
  return files;
}

module.exports = { zip, unzip, crc32 };
