// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/sample.hpp"

#include <hdf5.h>

namespace vinculum::trace {
namespace {

std::string make_trace(const Folder& folder, int steps = 20) {
  const std::string path = folder.file("good.h5");
  const SampleRun run{3, 10};
  Writer writer(path, make_header(3));
  for (int i = 0; i < steps; ++i) run.add(writer, i);
  return path;
}

// Opens a file and reads all of it.
std::string error_of_reading(const std::string& path) {
  return error_of([&] {
    const Reader reader(path);
    Row before, after;
    integrators::StepRecord record;
    for (std::size_t i = 0; i < reader.steps(); ++i) reader.read(i, before, record, after);
  });
}

void expect_one_line(const std::string& message, const std::string& path) {
  EXPECT_TRUE(message.starts_with(path + ": ")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Reader, a_missing_file_is_one_line) {
  EXPECT_EQ(error_of_reading("/nowhere/a.h5"), "/nowhere/a.h5: cannot read: No such file or directory");
}

TEST(Reader, a_file_of_another_kind_is_one_line) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  for (const std::string text : {"", "[[body]]\nname = 'a'\n"}) {
    write_bytes(path, text);
    EXPECT_EQ(error_of_reading(path), path + ": found a file of another kind, expected a trace (HDF5)");
  }
  EXPECT_EQ(error_of_reading(folder.path.string()), folder.path.string() + ": found a folder, expected a trace");
}

TEST(Reader, an_HDF5_file_that_is_no_trace_is_one_line) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  const auto file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_EQ(error_of_reading(path), path + ": found an HDF5 file of another kind, expected a trace");
}

TEST(Reader, a_truncated_file_is_one_line_at_any_length) {
  const Folder folder;
  const std::string whole = read_bytes(make_trace(folder)), path = folder.file("cut.h5");
  for (std::size_t n = 1; n < 40; ++n) {
    write_bytes(path, whole.substr(0, whole.size() * n / 40));
    const auto message = error_of_reading(path);
    expect_one_line(message, path);
    EXPECT_NE(message.find("damaged"), std::string::npos) << message;
  }
}

TEST(Reader, a_wrong_version_is_named) {
  const Folder folder;
  std::string bytes = read_bytes(make_trace(folder));
  // The attribute's value follows its name, type and space: the only 8 bytes "7" after "version".
  const auto path = folder.file("new.h5");
  for (std::size_t at = bytes.find("version"); at != std::string::npos; at = bytes.find("version", at + 1)) {
    const std::size_t value = at + 8 + 16 + 8;  // name with its zero, type (12, padded), space
    ASSERT_EQ(bytes[value], 7);
    bytes[value] = 9;
  }
  write_bytes(path, bytes);
  EXPECT_EQ(error_of_reading(path), path + ": found version 9 of the format (this program reads 7), expected a trace");
}

TEST(Reader, references_out_of_range_are_reported) {
  const Folder folder;
  const std::string path = make_trace(folder);
  const auto file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const auto dataset = H5Dopen2(file, "/step/contacts_count", H5P_DEFAULT);
  const std::vector<std::uint64_t> huge(20, ~std::uint64_t{0});
  H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, huge.data());
  H5Dclose(dataset);
  H5Fclose(file);
  EXPECT_EQ(error_of_reading(path), path + ": damaged: step 0 refers to rows that are not there");
}

TEST(Reader, a_missing_dataset_is_named) {
  const Folder folder;
  const std::string path = make_trace(folder);
  const auto file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/contact/Lambda", H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_EQ(error_of_reading(path), path + ": /contact/Lambda: found none, expected a dataset");
}

TEST(Reader, a_table_is_a_whole_dataset_with_its_unit) {
  const Folder folder;
  const Reader reader(make_trace(folder));
  const auto ledger = reader.table("/step/ledger");
  EXPECT_EQ(ledger.width, 7u);
  EXPECT_EQ(ledger.unit, "J");
  ASSERT_EQ(ledger.values.size(), 140u);
  const SampleRun run{3, 10};
  EXPECT_TRUE(same(ledger.values[7 * 4 + 1], run.step(4).ledger.potential));
  EXPECT_EQ(reader.table("/step/index").values[19], 19);
  EXPECT_NE(error_of([&] { reader.table("/step/method"); }).find("found words, expected numbers"), std::string::npos);
  EXPECT_NE(error_of([&] { reader.table("/step/nothing"); }).find("/step/nothing: found none"), std::string::npos);
}

TEST(Reader, h5dump_shows_words_and_units) {
  if (!have_h5dump()) GTEST_SKIP() << "h5dump is not installed (Debian: hdf5-tools)";
  const Folder folder;
  const std::string path = make_trace(folder), out = folder.file("out");
  ASSERT_EQ(std::system(("h5dump '" + path + "' > '" + out + "' 2>&1").c_str()), 0);
  const auto text = read_bytes(out);
  for (const char* part :
       {"\"landing\"          2;", "\"projected\"        5;", "\"edge_edge\"", "exhausted", "\"N s\"",
        "\"vinculum trace\"", "\"warm start\"", "ein Stapel", "\"body 2\"", "H5S_UNLIMITED, 3, 7"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Reader, every_dataset_has_a_unit_a_description_and_a_line_in_the_docs) {
  const Folder folder;
  const std::string path = make_trace(folder);
  const auto file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  int datasets = 0;
  static const std::string docs = read_bytes(VINCULUM_SOURCE_DIR "/docs/trace.md");
  const auto visit = [](hid_t object, const char* name, const H5O_info_t* info, void* count) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    ++*static_cast<int*>(count);
    EXPECT_NE(docs.find("`/" + std::string(name) + "`"), std::string::npos) << name << " is not in docs/trace.md";
    EXPECT_GT(H5Aexists_by_name(object, name, "unit", H5P_DEFAULT), 0) << name;
    EXPECT_GT(H5Aexists_by_name(object, name, "description", H5P_DEFAULT), 0) << name;
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &datasets, H5O_INFO_BASIC);
  H5Fclose(file);
  EXPECT_EQ(datasets, 55);
}

}  // namespace
}  // namespace vinculum::trace
