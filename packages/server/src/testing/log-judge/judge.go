// An outside judge of the log: Go's own tlog and note packages (golang.org/x/mod/sumdb), which share no code with ours.
//
//	judge proofs          reads one check a line from standard input (JSON), prints "yes" or "no" for each
//	judge tiles URL KEY   reads the served head and tiles, recomputes the root, proves records and old trees from tiles
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type check struct {
	Kind    string   `json:"kind"`
	Size    int64    `json:"size"`
	Root    string   `json:"root"`
	Index   int64    `json:"index"`
	OldSize int64    `json:"oldSize"`
	OldRoot string   `json:"oldRoot"`
	Leaf    string   `json:"leaf"`
	Path    []string `json:"path"`
	Note    string   `json:"note"`
	Key     string   `json:"key"`
}

func toHash(text string) (h tlog.Hash, err error) {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(bytes) != len(h) {
		err = fmt.Errorf("%d bytes", len(bytes))
	}
	copy(h[:], bytes)
	return h, err
}

func judge(c check) error {
	if c.Kind == "note" {
		verifier, err := note.NewVerifier(c.Key)
		if err != nil {
			return err
		}
		_, err = note.Open([]byte(c.Note), note.VerifierList(verifier))
		return err
	}
	root, err := toHash(c.Root)
	if err != nil {
		return err
	}
	var path []tlog.Hash
	for _, text := range c.Path {
		hash, err := toHash(text)
		if err != nil {
			return err
		}
		path = append(path, hash)
	}
	if c.Kind == "inclusion" {
		leaf, err := toHash(c.Leaf)
		if err != nil {
			return err
		}
		return tlog.CheckRecord(path, c.Size, root, c.Index, leaf)
	}
	old, err := toHash(c.OldRoot)
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, c.Size, root, c.OldSize, old)
}

func judgeProofs() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for input.Scan() {
		var c check
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		if judge(c) == nil {
			fmt.Fprintln(output, "yes")
		} else {
			fmt.Fprintln(output, "no")
		}
	}
}

func get(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

type served struct{ url string }

func (s served) Height() int { return 8 }

func (s served) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		// Go names the height of a tile too, which is always 8 here.
		bytes, err := get(s.url + "/" + strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if err != nil {
			return nil, err
		}
		data = append(data, bytes)
	}
	return data, nil
}

func (s served) SaveTiles([]tlog.Tile, [][]byte) {}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// Entries of a bundle: each after its length, two bytes, the higher one first.
func readBundle(bytes []byte) (entries [][]byte) {
	for len(bytes) > 0 {
		length := 2 + int(binary.BigEndian.Uint16(bytes))
		entries = append(entries, bytes[2:length])
		bytes = bytes[length:]
	}
	return entries
}

func judgeTiles(url, key string) {
	verifier := must(note.NewVerifier(key))
	head := must(note.Open(must(get(url+"/checkpoint")), note.VerifierList(verifier)))
	lines := strings.Split(head.Text, "\n")
	size := must(strconv.ParseInt(lines[1], 10, 64))
	tree := tlog.Tree{N: size, Hash: must(toHash(lines[2]))}
	reader := tlog.TileHashReader(tree, served{url})
	entries := 0
	for from := int64(0); from < size; from += 256 {
		name := tlog.Tile{H: 8, L: -1, N: from / 256, W: int(min(256, size-from))}
		path := strings.Replace(name.Path(), "tile/8/data/", "tile/entries/", 1)
		for i, entry := range readBundle(must(get(url + "/" + path))) {
			index := from + int64(i)
			proof := must(tlog.ProveRecord(size, index, reader))
			if err := tlog.CheckRecord(proof, size, tree.Hash, index, tlog.RecordHash(entry)); err != nil {
				log.Fatalf("entry %d: %v", index, err)
			}
			entries++
		}
	}
	trees := 0
	for old := int64(1); old <= size; old++ {
		before := must(tlog.TreeHash(old, reader))
		if err := tlog.CheckTree(must(tlog.ProveTree(size, old, reader)), size, tree.Hash, old, before); err != nil {
			log.Fatalf("tree %d: %v", old, err)
		}
		trees++
	}
	fmt.Printf("%s: %d entries, %d trees\n", lines[0], entries, trees)
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func main() {
	log.SetFlags(0)
	switch {
	case len(os.Args) == 2 && os.Args[1] == "proofs":
		judgeProofs()
	case len(os.Args) == 4 && os.Args[1] == "tiles":
		judgeTiles(os.Args[2], os.Args[3])
	default:
		log.Fatal("usage: judge proofs | judge tiles URL KEY")
	}
}
