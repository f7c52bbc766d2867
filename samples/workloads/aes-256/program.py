"""AES-256 of files: each is enciphered by counters, or deciphered after the library chained it."""

import numpy as np

from warpmill.checks import equal

BLOCK, ROUNDS = 128, 14  # as in aes256.cu
ENCRYPT_MIXING = (2, 1, 1, 3)  # first column of the matrix: what row 0 gives to rows 0 to 3
DECRYPT_MIXING = (14, 9, 13, 11)
SPREAD = 1.0  # of the logarithm of files' lengths
LONGEST = 16  # times the usual length
KINDS = ("text", "noise", "zeros")


def make(files, kib, key_every, seed):
    """Draw files of uneven lengths: text, noise, and runs of zeros; keys and first counters."""
    if files < 1 or key_every < 1 or not 0 < kib <= 4096:
        raise ValueError("files and key_every are 1 or more, kib above 0 and up to 4096")
    rng = np.random.default_rng(seed)
    lengths = 1024 * kib * np.minimum(np.exp(SPREAD * rng.standard_normal(files)), LONGEST)
    found = []
    for number, length in enumerate(lengths):
        start = rng.integers(0, 256, 16, np.uint8)
        start[12:] = 255  # counters soon carry beyond their lowest 32 bits
        start[15] = rng.integers(0, 256)
        data = content(rng, KINDS[number % len(KINDS)], max(1, int(length)))
        found.append({"start": start, "data": data})
    keys = rng.integers(0, 256, (-(-files // key_every), 32), np.uint8)
    return {"files": found, "keys": keys, "key_every": key_every}


def content(rng, kind, length):
    """Make the bytes of a file."""
    if kind == "text":
        letters = np.frombuffer(b"etaoin shrdlu cmfwyp vbgkqjxz,.\n", np.uint8)
        return letters[np.minimum(rng.geometric(0.12, length) - 1, len(letters) - 1)]
    data = rng.integers(0, 256, length, np.uint8)
    if kind == "zeros":
        data[: length * 3 // 4] = 0
    return data


def padded(data):
    """Fill the last block; with a whole one where there is nothing to fill, as is the rule."""
    missing = 16 - len(data) % 16
    return np.pad(data, (0, missing), constant_values=missing)


def run(device, modules, inputs):
    """Take file by file: encipher its blocks by counters, decipher what the library chained."""
    module, box = modules["aes256"], substitution_box()
    inverse = np.argsort(box).astype(np.uint8)
    encrypt = [device.array(mixing_tables(box, ENCRYPT_MIXING), name="tables")]
    encrypt.append(device.array(box, name="box"))
    decrypt = [device.array(mixing_tables(inverse, DECRYPT_MIXING), name="inverse tables")]
    decrypt.append(device.array(inverse, name="inverse box"))
    most = max(len(padded(file["data"])) for file in inputs["files"])
    given = device.zeros(most, np.uint8, name="given")
    taken = device.zeros(most, np.uint8, name="taken")
    start = module.symbol("start", np.uint32, (4,))
    results = {}
    for number, file in enumerate(inputs["files"]):
        key = inputs["keys"][number // inputs["key_every"]]
        if number % inputs["key_every"] == 0:
            set_keys(module, key, box)
        plain = padded(file["data"])
        start.set(file["start"].view(np.uint32))
        blocks = len(plain) // 16
        for name, tables, data in (
            ("aes256_ctr", encrypt, plain),
            ("aes256_cbc_decrypt", decrypt, chained(key, file["start"], plain)),
        ):
            given[: len(data)].set(data)
            args = [given, taken, *tables, blocks]
            device.launch(module[name], -(-blocks // BLOCK), BLOCK, args)
            device.synchronize()
            results[f"{name} {number}"] = taken[: len(data)].get()
    return results


def chained(key, start, plain):
    """Encipher as chained blocks, by the library."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415

    library = Cipher(algorithms.AES(key.tobytes()), modes.CBC(start.tobytes())).encryptor()
    return np.frombuffer(library.update(plain.tobytes()) + library.finalize(), np.uint8)


def check(inputs, results):
    """Compare with the library in counter mode, and with the files that it had chained."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415

    expected, got, files = [], [], []
    for number, file in enumerate(inputs["files"]):
        key = inputs["keys"][number // inputs["key_every"]].tobytes()
        library = Cipher(algorithms.AES(key), modes.CTR(file["start"].tobytes())).encryptor()
        data = padded(file["data"]).tobytes()
        expected.append(np.frombuffer(library.update(data) + library.finalize(), np.uint8))
        got.append(results[f"aes256_ctr {number}"])
        files.append(results[f"aes256_cbc_decrypt {number}"])
    against = "cryptography, AES in CTR mode"
    yield equal("enciphered", np.concatenate(got), np.concatenate(expected), against)
    plain = np.concatenate([padded(file["data"]) for file in inputs["files"]])
    yield equal("deciphered", np.concatenate(files), plain, "what cryptography has chained")


def set_keys(module, key, box):
    """Give the kernels the keys of all rounds, for both directions."""
    keys = expanded_key(key, box)
    for name, values in (("encrypt_keys", keys), ("decrypt_keys", inverse_keys(keys))):
        module.symbol(name, np.uint32, (4 * (ROUNDS + 1),)).set(words_of(values))


def times(a, b):
    """Multiply bytes as polynomials over bits, modulo x^8 + x^4 + x^3 + x + 1."""
    a, b = np.broadcast_arrays(np.asarray(a, np.uint16), np.asarray(b, np.uint16))
    product = np.zeros_like(a)
    for bit in range(8):
        product ^= (a << bit) * (b >> bit & 1)
    for bit in range(14, 7, -1):
        product ^= (0x11B << (bit - 8)) * (product >> bit & 1)
    return product.astype(np.uint8)


def substitution_box():
    """Make the S-box: the inverse in the field, of which each bit is joined with four others."""
    byte = np.arange(256)
    inverse = (times(byte[:, None], byte[None, :]) == 1).argmax(axis=1)  # 0 has none and stays 0
    twice = inverse | inverse << 8
    mixed = twice ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7
    return (mixed & 255 ^ 0x63).astype(np.uint8)


def mixing_tables(box, mixing):
    """Make a table for each row: what its byte, substituted, gives to all rows of the column."""
    columns = times(box[:, None], np.array(mixing)[None, :])
    return np.stack([words_of(np.roll(columns, row, axis=1)) for row in range(4)])


def expanded_key(key, box):
    """Make the keys of all rounds, of shape (rounds + 1, 4 columns, 4 rows).

    Of a key of eight columns the fourth new one of eight is substituted too.
    """
    columns, constant = list(key.reshape(8, 4)), 1
    for i in range(8, 4 * (ROUNDS + 1)):
        last = columns[-1]
        if i % 8 == 0:
            last = box[np.roll(last, -1)]
            last[0] ^= constant
            constant = int(times(constant, 2))
        elif i % 8 == 4:
            last = box[last]
        columns.append(columns[-8] ^ last)
    return np.stack(columns).reshape(ROUNDS + 1, 4, 4)


def inverse_keys(keys):
    """Turn the keys for decryption: last first, those between put through the inverse mixing."""
    matrix = np.stack([np.roll(DECRYPT_MIXING, row) for row in range(4)], axis=1)
    mixed = np.bitwise_xor.reduce(times(matrix, keys[..., None, :]), axis=-1)
    return np.concatenate([keys[-1:], mixed[-2:0:-1], keys[:1]])


def words_of(values):
    """Join four bytes to a word, the first one lowest."""
    return np.ascontiguousarray(values).view("<u4").ravel()
